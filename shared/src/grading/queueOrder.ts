import type { ItemSettings } from '../items/item.ts';

/** The order of an item's submissions: by upload time, or random but the same for everyone. */
export type QueueOrder = ItemSettings['submissionOrder'];

/** A position in the queue: a submission, or the start. */
export interface QueuePlace {
  order: QueueOrder;
  /** The time of the upload in full precision, or the code of the submission, as text that PostgreSQL reads. */
  key: string;
  id: number;
}

interface Column {
  name: string;
  type: string;
  /** SQL for the key of a submission `s`. */
  key: string;
  start: string;
}

const columns: Record<QueueOrder, Column> = {
  arrival: {
    name: 's.submitted_at',
    type: 'timestamptz',
    key: `to_char(s.submitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    start: '-infinity',
  },
  shuffled: { name: 's.code', type: 'text', key: 's.code', start: '' },
};

export const startOfQueue = (order: QueueOrder): QueuePlace => ({ order, key: columns[order].start, id: 0 });

/** SQL of the `ORDER BY` of submissions `s`. Equal times follow each other by id. */
export const inQueueOrder = (order: QueueOrder): string => `${columns[order].name}, s.id`;

/** SQL for the key of a submission `s` in an order. */
export const queueKey = (order: QueueOrder): string => columns[order].key;

/** SQL for whether a submission `s` is after the position in these parameters. */
export const isAfterPlace = (order: QueueOrder, key: string, id: string): string =>
  `(${inQueueOrder(order)}) > (${key}::${columns[order].type}, ${id}::integer)`;
