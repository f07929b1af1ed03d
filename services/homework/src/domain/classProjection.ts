import type { ExistingClass, ExistingCourse } from '@gradeway/shared/submissions/coursesClient';

/** A class as the projection stores it. */
export type ClassProjection = ExistingClass & { isDeleted: boolean };

/** A course as the projection stores it. */
export type CourseProjection = ExistingCourse & { isDeleted: boolean };

/** The projections of records that courses has returned, and which therefore exist. */
export const projectionsOf = <Existing>(records: Existing[]): (Existing & { isDeleted: boolean })[] =>
  records.map((record) => ({ ...record, isDeleted: false }));
