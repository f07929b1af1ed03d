import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize, Transaction } from 'sequelize';

export interface ListedRevocation {
  sessionId: number | null;
  tokenId: string | null;
  expiresAt: Date;
}

export interface RevocationPage {
  revocations: ListedRevocation[];
  cursor: string;
  more: boolean;
}

/** Where in the list somebody is, in milliseconds since the epoch. */
interface Position {
  /** Where to begin anew once the end was reached. */
  resumeAt: number;
  createdAt: number;
  id: string;
}

interface Row extends ListedRevocation {
  id: string;
  createdAt: Date;
}

const add = `
  INSERT INTO revocations (token_id, expires_at) VALUES ($1, $2::timestamptz + interval '5 minutes')`;

const page = `
  SELECT id, session_id AS "sessionId", token_id AS "tokenId", created_at AS "createdAt", expires_at AS "expiresAt"
  FROM revocations
  WHERE (created_at, id) > (to_timestamp($1::float8 / 1000), $2::bigint) AND expires_at > now()
  ORDER BY created_at, id LIMIT $3`;

const clock = `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;

const pageSize = 1_000;

/*
 * A revocation that commits late has a creation time before others that were read already. No transaction that
 * adds one takes longer than this from the insert to its commit: the time limits of openDatabase see to it. So
 * each round begins this long before the previous one did, and what it repeats does no harm.
 */
const overlapMs = 30_000;

/** What verifiers of tokens must refuse although its signature is good. */
export class RevocationRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  async addToken(tokenId: string, expiresAt: Date, transaction: Transaction): Promise<void> {
    await this.#sequelize.query(add, { bind: [tokenId, expiresAt], transaction });
  }

  /** What came since a cursor; with an empty one, everything that is still within a token's lifetime. */
  async page(cursor: string): Promise<RevocationPage> {
    const from = readCursor(cursor) ?? (await this.#beginning(cursor));
    const rows = await selectRows<Row>(this.#sequelize, page, [from.createdAt, from.id, pageSize]);
    const last = rows.length === pageSize ? rows.at(-1) : undefined;
    return {
      revocations: rows,
      cursor: last
        ? writeCursor({ resumeAt: from.resumeAt, createdAt: last.createdAt.getTime(), id: last.id })
        : String(from.resumeAt),
      more: last !== undefined,
    };
  }

  // The next round is fixed before this one reads: what is added meanwhile belongs to both.
  async #beginning(cursor: string): Promise<Position> {
    const [row] = await selectRows<{ now: number }>(this.#sequelize, clock);
    if (!row) throw new Error('the database has no clock');
    return {
      resumeAt: row.now - overlapMs,
      createdAt: startOfRound.test(cursor) ? Number(cursor) : 0,
      id: '0',
    };
  }
}

// `resumeAt` begins a round; within one that has more pages it is followed by the last entry that was read.
const startOfRound = /^\d{1,15}$/;
const withinRound = /^(\d{1,15})-(\d{1,15})-(\d{1,18})$/;

// A cursor that is not ours begins at the beginning: to repeat everything is harmless, to leave something out is not.
function readCursor(cursor: string): Position | undefined {
  const [, resumeAt, createdAt, id] = withinRound.exec(cursor) ?? [];
  return id === undefined ? undefined : { resumeAt: Number(resumeAt), createdAt: Number(createdAt), id };
}

const writeCursor = ({ resumeAt, createdAt, id }: Position): string => `${resumeAt}-${createdAt}-${id}`;
