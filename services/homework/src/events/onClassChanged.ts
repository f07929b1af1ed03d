import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { ProjectionRepository } from '../data/projectionRepository.ts';
import { classFromEvent } from './classFromEvent.ts';

export const onClassChanged =
  (projections: ProjectionRepository): EventHandler<'class.changed.v1'> =>
  (state, transaction) =>
    projections.upsertClasses([classFromEvent(state, false)], transaction);
