import { inTransaction } from '@gradeway/shared/database/connection';
import type { CloudEvent } from '@gradeway/shared/events/cloudEvent';
import { recordEvents } from '@gradeway/shared/events/inbox';
import type { Sequelize, Transaction } from 'sequelize';
import type { MessageRepository } from '../data/messageRepository.ts';
import { type Effect, effectsOf } from '../domain/effects.ts';

interface Dependencies {
  sequelize: Sequelize;
  messages: MessageRepository;
}

/** Turns events into messages, each exactly once. */
export function applyEvents({ sequelize, messages }: Dependencies, events: CloudEvent[]): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    // The gradebook's consumer records the same events in the same inbox.
    const own = events.map((event) => ({ ...event, source: `${event.source} to courses-mail` }));
    const added = await recordEvents(sequelize, own, transaction);
    const effects = added.flatMap((event) => effectsOf(event, new Date()));
    await applyTogether(messages, effects, transaction);
    for (const effect of effects) await applyInOrder(messages, effect, transaction);
  });
}

/** Applies the effects of events that can arrive by the thousand. */
async function applyTogether(
  messages: MessageRepository,
  effects: Effect[],
  transaction: Transaction,
): Promise<void> {
  const toAdd = effects.flatMap((effect) => (effect.type === 'message' ? [effect.message] : []));
  if (toAdd.length > 0) await messages.add(toAdd, transaction);
  const gradings = effects.flatMap((effect) =>
    effect.type === 'examine' && effect.trigger.kind === 'grading.finished' ? [effect.trigger] : [],
  );
  if (gradings.length > 0) await messages.examineLater(gradings, transaction);
}

async function applyInOrder(
  messages: MessageRepository,
  effect: Effect,
  transaction: Transaction,
): Promise<void> {
  switch (effect.type) {
    case 'students':
      return messages.announceToStudents(effect.announcement, transaction);
    case 'staff':
      return messages.announceToStaff(effect.announcement, transaction);
    case 'withhold':
      return messages.withhold(effect.item, transaction);
    case 'examine':
      if (effect.trigger.kind === 'grades.released')
        await messages.examineLater([effect.trigger], transaction);
  }
}
