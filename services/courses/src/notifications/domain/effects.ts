import type { EventData, EventType } from '@gradeway/shared/events/catalog';
import type { CloudEvent } from '@gradeway/shared/events/cloudEvent';
import type { Kind as ItemKind } from '../../gradebook/domain/projections.ts';
import type { Kind } from './kinds.ts';

export interface ItemKey {
  itemKind: ItemKind;
  itemId: number;
}

/** A message to one person. The key names what happened. */
export interface NewMessage extends ItemKey {
  userId: number;
  key: string;
  kind: Kind;
  submissionId: number | null;
}

/** A message to everyone concerned. */
export interface Announcement extends ItemKey {
  courseId: number;
  key: string;
  /** The earliest time for the messages; undefined if they are due now. */
  notBefore?: string | undefined;
}

export type TriggerKind = 'grades.released' | 'grading.finished';

/** The effects of an event on messages, in the order in which they apply. */
export type Effect =
  | { type: 'message'; message: NewMessage }
  /** Paid students of the course. */
  | { type: 'students'; announcement: Announcement }
  /** Instructors of the course. */
  | { type: 'staff'; announcement: Announcement }
  | { type: 'examine'; trigger: ItemKey & { kind: TriggerKind } }
  | { type: 'withhold'; item: ItemKey };

// Old events are published again to repair projections. Nobody needs a message about them.
const newsMs = 24 * 3_600_000;

type Data<Event extends string> = EventData[`${ItemKind}.${Event}` & EventType];

/** Returns the effects of an event. Returns none for events that occurred more than a day ago. */
export function effectsOf(event: CloudEvent, now: Date): Effect[] {
  const [itemKind, ...rest] = event.type.split('.') as [ItemKind, ...string[]];
  const read = readers[rest.join('.')];
  if (!read) throw new Error('no effect is defined for the event type');
  const { happenedAt, effects } = read(itemKind, event.data as never, event);
  return now.getTime() - Date.parse(happenedAt ?? event.time) < newsMs ? effects : [];
}

interface Read {
  /** When it happened, if that differs from the time of the event. */
  happenedAt?: string | undefined;
  effects: Effect[];
}

const readers: Record<string, (itemKind: ItemKind, data: never, event: CloudEvent) => Read> = {
  'submission.submitted.v1': (itemKind, data: Data<'submission.submitted.v1'>, { id }) => ({
    happenedAt: data.submitted_at,
    effects: [messageOf(itemKind, data, 'submission.received', `received:${data.submitted_at ?? id}`)],
  }),
  'submission.graded.v1': (itemKind, data: Data<'submission.graded.v1'>) => ({
    happenedAt: data.graded_at,
    effects: [
      // The message about a hidden grade is created when the item is released.
      ...(data.visible_from === null
        ? []
        : [messageOf(itemKind, data, 'grades.released', `graded:${data.revision}`)]),
      examine('grading.finished', { itemKind, itemId: itemIdOf(data) }),
    ],
  }),
  'grades.released.v1': (itemKind, { item_id: itemId }: Data<'grades.released.v1'>) => ({
    effects: [examine('grades.released', { itemKind, itemId })],
  }),
  'grades.withheld.v1': (itemKind, { item_id: itemId }: Data<'grades.withheld.v1'>) => ({
    effects: [{ type: 'withhold', item: { itemKind, itemId } }],
  }),
  'published.v1': (itemKind, data: Data<'published.v1'>, { id }) => ({
    effects: [
      {
        type: 'students',
        announcement: {
          ...{ itemKind, itemId: data.item_id, courseId: data.course_id },
          key: `published:${itemKind}:${data.item_id}:${id}`,
          // Students do not see an assignment before it opens.
          notBefore: (itemKind === 'homework' && data.opens_at) || undefined,
        },
      },
    ],
  }),
  'review.opened.v1': (itemKind, data: Data<'review.opened.v1'>) => ({
    effects: [
      {
        type: 'staff',
        announcement: {
          ...{ itemKind, itemId: itemIdOf(data), courseId: data.course_id },
          key: `review:${itemKind}:${data.review_id}:${data.revision}`,
        },
      },
    ],
  }),
  'review.closed.v1': (itemKind, data: Data<'review.closed.v1'>) => ({
    effects: [messageOf(itemKind, data, 'review.answered', `review:${data.review_id}:${data.revision}`)],
  }),
};

type ItemId = { quiz_id: number } | { class_id: number };

const itemIdOf = (data: ItemId): number => ('quiz_id' in data ? data.quiz_id : data.class_id);

const messageOf = (
  itemKind: ItemKind,
  data: ItemId & { submission_id: number; student_id: number },
  kind: Kind,
  happened: string,
): Effect => ({
  type: 'message',
  message: {
    ...{ userId: data.student_id, itemKind, itemId: itemIdOf(data), submissionId: data.submission_id, kind },
    key: `${itemKind}:${data.submission_id}:${happened}`,
  },
});

const examine = (kind: TriggerKind, item: ItemKey): Effect => ({
  type: 'examine',
  trigger: { ...item, kind },
});
