import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { ProjectionRepository } from '../data/projectionRepository.ts';
import { classFromEvent } from './classFromEvent.ts';

/** Keeps the class as a tombstone, because its submissions can still be graded (D43). */
export const onClassDeleted =
  (projections: ProjectionRepository): EventHandler<'class.deleted.v1'> =>
  (state, transaction) =>
    projections.upsertClasses([classFromEvent(state, true)], transaction);
