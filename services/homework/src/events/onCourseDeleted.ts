import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { ProjectionRepository } from '../data/projectionRepository.ts';

/** The course stays as a tombstone, so that a late event does not bring its title back. */
export const onCourseDeleted =
  (projections: ProjectionRepository): EventHandler<'course.deleted.v1'> =>
  ({ id, title, revision }, transaction) =>
    projections.putCourses([{ id, title, isDeleted: true, revision }], transaction);
