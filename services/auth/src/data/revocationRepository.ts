import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize, Transaction } from 'sequelize';

export interface ListedRevocation {
  sessionId: number | null;
  tokenId: string | null;
  /** The `kid` of a signing key. */
  keyId: string | null;
  expiresAt: Date;
}

export interface RevocationPage {
  revocations: ListedRevocation[];
  cursor: string;
  more: boolean;
}

/** A client's position in the list. Numbers of transactions are decimal texts: they have 64 bits. */
interface Position {
  /** Where the next round starts once this one has reached the end. */
  resumeAt: string;
  transactionId: string;
  id: string;
}

/** One row of the list beside the oldest open transaction. `id` is null in the only row when there is nothing new. */
interface Row extends ListedRevocation {
  id: string | null;
  transactionId: string;
  oldestOpen: string;
}

const pageSize = 1_000;

const insertToken = `
  INSERT INTO revocations (token_id, expires_at) VALUES ($1, $2::timestamptz + interval '5 minutes')`;

/*
 * One snapshot for both: rows committed before the oldest open transaction are visible to the page. The oldest open
 * transaction never has a lower number than at an earlier start, except on another server, whose list is read from the start.
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

// Safe beside readers: until this transaction ends, none of them resumes after its number.
const renumber = `
  UPDATE revocations SET transaction_id = pg_current_xact_id() WHERE transaction_id > pg_current_xact_id()`;

/**
 * Sessions and tokens that verifiers must reject even though the signature is valid.
 *
 * Neither ids nor times follow the order of commits: a transaction may write a revocation long before it commits, and
 * readers have then read later ones. The order is therefore that of transaction numbers, and each round starts at the
 * oldest transaction that was open when the previous one started. All earlier ones had ended, and what they wrote was
 * visible to that round. Entries of later ones are repeated while an older one is open, which does no harm.
 */
export class RevocationRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  async revokeToken(tokenId: string, expiresAt: Date, transaction: Transaction): Promise<void> {
    await this.#sequelize.query(insertToken, { bind: [tokenId, expiresAt], transaction });
  }

  /** Gives entries restored from the backup of another server, whose numbers were higher, one of this server. */
  async renumberRestored(): Promise<void> {
    await this.#sequelize.query(renumber);
  }

  /** The cursor of a client that has everything that is visible now. */
  async currentCursor(): Promise<string> {
    const [row] = await selectRows<{ oldestOpen: string }>(this.#sequelize, selectOldestOpen);
    if (!row) throw new Error('the database returned no snapshot');
    return `x${row.oldestOpen}`;
  }

  /** The revocations since a cursor; for an empty cursor, all that have not expired. */
  async page(cursor: string): Promise<RevocationPage> {
    const position = parseCursor(cursor);
    const [, start = '0'] = startOfRound.exec(cursor) ?? [];
    const { transactionId, id } = position ?? { transactionId: start, id: '0' };
    const rows = await selectRows<Row>(this.#sequelize, selectPage, [transactionId, id, !position]);
    const [first] = rows;
    if (!first) throw new Error('the database returned no snapshot');
    // The start of the next round is fixed when this one begins, so that rows committed meanwhile belong to both.
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

// A cursor is `resumeAt` alone at the start of a round, followed by the last entry read within a round.
const startOfRound = /^x(\d{1,19})$/;
const withinRound = /^x(\d{1,19})-(\d{1,19})-(\d{1,18})$/;

// An unknown cursor starts over: repeating entries is harmless, skipping one is not.
function parseCursor(cursor: string): Position | undefined {
  const [, resumeAt, transactionId, id] = withinRound.exec(cursor) ?? [];
  return resumeAt && transactionId && id ? { resumeAt, transactionId, id } : undefined;
}

const formatCursor = ({ resumeAt, transactionId, id }: Position): string =>
  `x${resumeAt}-${transactionId}-${id}`;
