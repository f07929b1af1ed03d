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

/** A client's position in the list; times are in milliseconds since the epoch. */
interface Position {
  /** Where the next round starts once this one has reached the end. */
  resumeAt: number;
  createdAt: number;
  id: string;
}

interface Row extends ListedRevocation {
  id: string;
  createdAt: Date;
}

const insertToken = `
  INSERT INTO revocations (token_id, expires_at) VALUES ($1, $2::timestamptz + interval '5 minutes')`;

const selectPage = `
  SELECT id, session_id AS "sessionId", token_id AS "tokenId", created_at AS "createdAt", expires_at AS "expiresAt"
  FROM revocations
  WHERE (created_at, id) > (to_timestamp($1::float8 / 1000), $2::bigint) AND expires_at > now()
  ORDER BY created_at, id LIMIT $3`;

const databaseTime = `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;

const pageSize = 1_000;

/*
 * A revocation that commits late has an earlier creation time than rows that clients have already read. The time
 * limits of openDatabase ensure that no transaction takes longer than this from the insert to its commit. Each round
 * therefore starts this long before the start of the previous one; repeated entries do no harm.
 */
const overlapMs = 30_000;

/** Sessions and tokens that verifiers must reject even though the signature is valid. */
export class RevocationRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  async revokeToken(tokenId: string, expiresAt: Date, transaction: Transaction): Promise<void> {
    await this.#sequelize.query(insertToken, { bind: [tokenId, expiresAt], transaction });
  }

  /** The revocations since a cursor; for an empty cursor, all that have not expired. */
  async page(cursor: string): Promise<RevocationPage> {
    const from = parseCursor(cursor) ?? (await this.#startRound(cursor));
    const rows = await selectRows<Row>(this.#sequelize, selectPage, [from.createdAt, from.id, pageSize]);
    const last = rows.length === pageSize ? rows.at(-1) : undefined;
    return {
      revocations: rows,
      cursor: last
        ? formatCursor({ resumeAt: from.resumeAt, createdAt: last.createdAt.getTime(), id: last.id })
        : String(from.resumeAt),
      more: last !== undefined,
    };
  }

  // The start of the next round is fixed before this one reads, so that rows inserted meanwhile belong to both.
  async #startRound(cursor: string): Promise<Position> {
    const [row] = await selectRows<{ now: number }>(this.#sequelize, databaseTime);
    if (!row) throw new Error('the database returned no time');
    return {
      resumeAt: row.now - overlapMs,
      createdAt: startOfRound.test(cursor) ? Number(cursor) : 0,
      id: '0',
    };
  }
}

// A cursor is `resumeAt` alone at the start of a round, followed by the last entry read within a round.
const startOfRound = /^\d{1,15}$/;
const withinRound = /^(\d{1,15})-(\d{1,15})-(\d{1,18})$/;

// An unknown cursor starts over: repeating entries is harmless, skipping one is not.
function parseCursor(cursor: string): Position | undefined {
  const [, resumeAt, createdAt, id] = withinRound.exec(cursor) ?? [];
  return id === undefined ? undefined : { resumeAt: Number(resumeAt), createdAt: Number(createdAt), id };
}

const formatCursor = ({ resumeAt, createdAt, id }: Position): string => `${resumeAt}-${createdAt}-${id}`;
