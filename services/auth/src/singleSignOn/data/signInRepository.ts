import { createHash } from 'node:crypto';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { PendingSignIn } from '../domain/pendingSignIn.ts';

type Row = Omit<PendingSignIn, 'link'> & { userId: number | null; sessionId: number | null };

const insert = `
  INSERT INTO sign_ins
    (state_hash, provider, redirect_uri, nonce, code_verifier, next, user_id, session_id, confirmed)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb) RETURNING state_hash`;
const columns = `
  provider, redirect_uri AS "redirectUri", nonce, code_verifier AS "codeVerifier", next, user_id AS "userId",
  session_id AS "sessionId", confirmed`;
const pending =
  'WHERE state_hash = $1 AND provider = $2 AND expires_at > now() AND (confirmed IS NOT NULL) = $3';
const take = `DELETE FROM sign_ins ${pending} RETURNING ${columns}`;
const find = `SELECT ${columns} FROM sign_ins ${pending}`;

/** The sign-ins in progress. They expire after ten minutes. */
export class SignInRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async add(state: string, { link, confirmed, ...signIn }: PendingSignIn): Promise<void> {
    const { provider, redirectUri, nonce, codeVerifier, next } = signIn;
    const account = [link?.userId ?? null, link?.sessionId ?? null];
    const identity = confirmed && JSON.stringify(confirmed);
    const values = [hashState(state), provider, redirectUri, nonce, codeVerifier, next, ...account, identity];
    await query(this.#db, { sql: insert, values });
  }

  /** Takes a sign-in whose response has arrived. Only one caller gets it. */
  async take(provider: string, state: string): Promise<PendingSignIn | undefined> {
    const [row] = await query<Row>(this.#db, { sql: take, values: [hashState(state), provider, false] });
    return row && toPendingSignIn(row);
  }

  /** Finds a sign-in that waits for a second factor. */
  async findConfirmed(provider: string, state: string): Promise<PendingSignIn | undefined> {
    const [row] = await query<Row>(this.#db, { sql: find, values: [hashState(state), provider, true] });
    return row && toPendingSignIn(row);
  }

  /** Deletes a sign-in that waited for a second factor. Returns false if it was deleted in the meantime. */
  async deleteConfirmed(provider: string, state: string, transaction: Transaction): Promise<boolean> {
    const values = [hashState(state), provider, true];
    return (await query(this.#db, { sql: take, values, transaction })).length === 1;
  }
}

// A reader of the table cannot use the hash: only the browser has the state.
const hashState = (state: string): string => createHash('sha256').update(state).digest('base64url');

function toPendingSignIn({ userId, sessionId, ...row }: Row): PendingSignIn {
  return { ...row, link: userId === null || sessionId === null ? null : { userId, sessionId } };
}
