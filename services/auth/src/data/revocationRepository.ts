import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { ListedRevocation, RevocationPage } from '../domain/revocation.ts';

/** A client's position in the list. Transaction numbers are decimal strings, because they have 64 bits. */
interface Position {
  /** The position where the next round starts once this one has reached the end of the list. */
  resumeAt: string;
  transactionId: string;
  id: string;
}

/** A row of the list, with the oldest open transaction. If nothing is new, there is one row whose `id` is null. */
interface Row extends ListedRevocation {
  id: string | null;
  transactionId: string;
  oldestOpen: string;
}

const pageSize = 1_000;

const insertToken = `
  INSERT INTO revocations (token_id, expires_at) VALUES ($1, $2::timestamptz + interval '5 minutes')`;

/*
 * One snapshot covers both: rows committed before the oldest open transaction are visible to the page. The number of
 * the oldest open transaction never decreases, except on another server, whose list is read from the start.
 */
const selectPage = `
  WITH snapshot AS (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS oldest_open)
  SELECT id, session_id AS "sessionId", token_id AS "tokenId", key_id AS "keyId",
    transaction_id::text AS "transactionId", expires_at AS "expiresAt", oldest_open::text AS "oldestOpen"
  FROM snapshot LEFT JOIN LATERAL (
    SELECT * FROM revocations
    WHERE (transaction_id, id) > (CASE WHEN $3 AND $1::xid8 > oldest_open THEN '0'::xid8 ELSE $1::xid8 END, $2::bigint)
      AND expires_at > now()
    ORDER BY transaction_id, id LIMIT ${pageSize}) AS page ON true
  ORDER BY transaction_id, id`;

const selectOldestOpen = `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestOpen"`;

// Safe with concurrent readers: until this transaction ends, none of them resumes after its number.
const renumber = `
  UPDATE revocations SET transaction_id = pg_current_xact_id() WHERE transaction_id > pg_current_xact_id()`;

/**
 * Sessions and tokens that verifiers must reject even though the signature is valid.
 *
 * Neither ids nor times follow the order of commits: a transaction can write a revocation long before it commits, and
 * readers may have read later ones by then. The list is therefore ordered by transaction number, and each round starts
 * at the oldest transaction that was open when the previous round started. All earlier transactions had ended by then,
 * so the previous round saw what they wrote. While an older transaction is open, entries of later ones are repeated,
 * which is harmless.
 */
export class RevocationRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async revokeToken(tokenId: string, expiresAt: Date, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: insertToken, values: [tokenId, expiresAt], transaction });
  }

  /** Assigns this server's transaction number to entries from another server's backup, whose numbers were higher. */
  async renumberRestored(): Promise<void> {
    await query(this.#db, { sql: renumber });
  }

  /** Returns the cursor of a client that has seen everything visible now. */
  async currentCursor(): Promise<string> {
    const [row] = await query<{ oldestOpen: string }>(this.#db, { sql: selectOldestOpen });
    if (!row) throw new Error('the database returned no snapshot');
    return `x${row.oldestOpen}`;
  }

  /** Returns the revocations since a cursor. An empty cursor returns all that have not expired. */
  async page(cursor: string): Promise<RevocationPage> {
    const position = parseCursor(cursor);
    const [, start = '0'] = startOfRound.exec(cursor) ?? [];
    const { transactionId, id } = position ?? { transactionId: start, id: '0' };
    const rows = await query<Row>(this.#db, { sql: selectPage, values: [transactionId, id, !position] });
    const [first] = rows;
    if (!first) throw new Error('the database returned no snapshot');
    // The start of the next round is set when this one begins, so that rows committed in between belong to both.
    const resumeAt = position?.resumeAt ?? first.oldestOpen;
    const revocations = rows.filter(isRevocation);
    const last = revocations.length === pageSize ? revocations.at(-1) : undefined;
    return {
      revocations,
      cursor: last ? formatCursor({ ...last, resumeAt }) : `x${resumeAt}`,
      more: last !== undefined,
    };
  }
}

const isRevocation = (row: Row): row is Row & { id: string } => row.id !== null;

// A cursor is `resumeAt` at the start of a round, followed by the last entry read within a round.
const startOfRound = /^x(\d{1,19})$/;
const withinRound = /^x(\d{1,19})-(\d{1,19})-(\d{1,18})$/;

// An unknown cursor starts over: repeating entries is harmless, but skipping one is not.
function parseCursor(cursor: string): Position | undefined {
  const [, resumeAt, transactionId, id] = withinRound.exec(cursor) ?? [];
  return resumeAt && transactionId && id ? { resumeAt, transactionId, id } : undefined;
}

const formatCursor = ({ resumeAt, transactionId, id }: Position): string =>
  `x${resumeAt}-${transactionId}-${id}`;
