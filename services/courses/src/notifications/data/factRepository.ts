import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';
import { hasAppeared, isHidden, itemsWithTitles, itemTitle } from '../../gradebook/data/itemState.ts';
import type { Kind as ItemKind } from '../../gradebook/domain/projections.ts';
import type { Kind } from '../domain/kinds.ts';
import { hasUngraded, isMissing } from './scheduleRepository.ts';

/** The content of a message, read when it is sent. */
export interface Fact {
  id: string;
  /** The digest that it is part of. */
  digestId: string | null;
  kind: Kind;
  itemKind: ItemKind;
  itemId: number;
  submissionId: number | null;
  title: string;
  courseTitle: string;
  /** The person's own closing time. */
  closesAt: Date | null;
  /** Whether it applies now; `early` if the item has not arrived from its service yet. */
  state: 'current' | 'early' | 'over';
}

/** A digest lists at most this many messages; it only counts the others. */
export const maxListed = 50;

const enrolled = 'r.is_enrolled';
const canHandIn = `r.is_enrolled AND r.paid AND i.published AND ${hasAppeared}`;
const isCurrent: Record<Kind, string> = {
  'submission.received': enrolled,
  'grades.released': `${enrolled} AND EXISTS (
    SELECT FROM grades g
    WHERE g.student_id = m.user_id AND g.kind = i.kind AND g.item_id = i.item_id AND g.grade IS NOT NULL
      AND NOT ${isHidden})`,
  'work.published': `${canHandIn} AND (i.closes_at IS NULL OR own.closes_at > now())`,
  // A minute more than a day, because the closing time may have changed since.
  'work.due': `${canHandIn} AND a.excused IS NOT TRUE AND ${isMissing('m.user_id')}
    AND own.closes_at BETWEEN now() AND now() + interval '24 hours 1 minute'`,
  'review.answered': `${enrolled} AND i.released_at IS NOT NULL`,
  'review.opened': 't.is_assigned',
  'grading.finished': `t.is_assigned AND t.role = 'teacher' AND NOT ${hasUngraded}`,
};

// Item states have their own queue and can arrive after the event.
const state = `
  CASE
    WHEN i.item_id IS NULL OR (m.kind = 'work.published' AND NOT i.published)
      THEN CASE WHEN m.created_at > now() - interval '5 minutes' THEN 'early' ELSE 'over' END
    WHEN i.is_deleted OR c.id IS NULL OR k.deleted_at IS NOT NULL THEN 'over'
    WHEN CASE m.kind ${Object.entries(isCurrent)
      .map(([kind, condition]) => `WHEN '${kind}' THEN ${condition}`)
      .join(' ')} END THEN 'current'
    ELSE 'over'
  END`;

const select = `
  SELECT m.id, m.digest_id AS "digestId", m.kind, m.item_kind AS "itemKind", m.item_id AS "itemId",
    m.submission_id AS "submissionId", coalesce(${itemTitle}, '') AS title, coalesce(c.title, '') AS "courseTitle",
    own.closes_at AS "closesAt", ${state} AS state
  FROM mail_messages m
    LEFT JOIN (${itemsWithTitles}) ON i.kind = m.item_kind AND i.item_id = m.item_id
    LEFT JOIN courses c ON c.id = i.course_id AND c.deleted_at IS NULL
    LEFT JOIN roster r ON r.course_id = i.course_id AND r.user_id = m.user_id
    LEFT JOIN instructors t ON t.course_id = i.course_id AND t.user_id = m.user_id
    LEFT JOIN gradebook_allowances a ON a.student_id = m.user_id AND a.kind = i.kind AND a.item_id = i.item_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN i.closes_at IS NOT NULL THEN greatest(i.closes_at, a.closes_at) END AS closes_at) AS own`;
const ofMessages = `${select} WHERE m.id = ANY($1::bigint[])`;
const ofDigest = `${select} WHERE m.digest_id = $1 AND m.status = 'waiting' ORDER BY m.id LIMIT ${maxListed}`;
const countOfDigest = `
  SELECT count(*)::int AS total FROM mail_messages WHERE digest_id = $1 AND status = 'waiting'`;

/** Reads the content of messages and whether they still apply. */
export class FactRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  ofMessages(ids: string[]): Promise<Fact[]> {
    return query(this.#db, { sql: ofMessages, values: [ids] });
  }

  /** Returns the oldest parts of a digest, and the total number of parts. */
  async ofDigest(id: string): Promise<{ facts: Fact[]; total: number }> {
    const facts = await query<Fact>(this.#db, { sql: ofDigest, values: [id] });
    const [row] = await query<{ total: number }>(this.#db, { sql: countOfDigest, values: [id] });
    return { facts, total: row?.total ?? 0 };
  }
}
