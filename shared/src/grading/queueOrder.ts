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
    name: 'submitted_at',
    type: 'timestamptz',
    key: `to_char(s.submitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    start: '-infinity',
  },
  shuffled: { name: 'code', type: 'text', key: 's.code', start: '' },
};

/** Where a query finds the position of a submission: in its own row, or in the row of an answer. */
interface QueueSource {
  alias: string;
  id: string;
}

const submissions: QueueSource = { alias: 's', id: 'id' };

/** The position in the answers `a`. */
export const ofAnswers: QueueSource = { alias: 'a', id: 'submission_id' };

export const startOfQueue = (order: QueueOrder): QueuePlace => ({ order, key: columns[order].start, id: 0 });

/** SQL for the `ORDER BY` of submissions, by default `s`. Submissions with equal times are ordered by id. */
export const inQueueOrder = (order: QueueOrder, { alias, id } = submissions): string =>
  `${alias}.${columns[order].name}, ${alias}.${id}`;

/** SQL for the key of a submission `s` in an order. */
export const queueKey = (order: QueueOrder): string => columns[order].key;

/** SQL for whether a submission, by default `s`, is after the position in these parameters. */
export const isAfterPlace = (order: QueueOrder, key: string, id: string, source = submissions): string =>
  `(${inQueueOrder(order, source)}) > (${key}::${columns[order].type}, ${id}::integer)`;
