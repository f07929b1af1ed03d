import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { ProjectionRepository } from '../data/projectionRepository.ts';

/** Keeps the course as a tombstone, so that a late event does not restore its title. */
export const onCourseDeleted =
  (projections: ProjectionRepository): EventHandler<'course.deleted.v1'> =>
  ({ id, title, revision }, transaction) =>
    projections.upsertCourses([{ id, title, isDeleted: true, revision }], transaction);
