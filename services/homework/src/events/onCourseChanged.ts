import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { ProjectionRepository } from '../data/projectionRepository.ts';

export const onCourseChanged =
  (projections: ProjectionRepository): EventHandler<'course.changed.v1'> =>
  ({ id, title, revision }, transaction) =>
    projections.upsertCourses([{ id, title, isDeleted: false, revision }], transaction);
