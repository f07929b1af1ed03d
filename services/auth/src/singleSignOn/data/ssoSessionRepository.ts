import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { LogoutToken } from '../clients/oidcProvider.ts';
import type { ConfirmedIdentity } from '../domain/identity.ts';

const insert = `
  INSERT INTO sso_sessions (session_id, provider, issuer, subject, sid) VALUES ($1, $2, $3, $4, $5)
  RETURNING session_id`;
const findProvider = 'SELECT provider FROM sso_sessions WHERE session_id = $1';
const selectOpen = `
  SELECT s.id, s.user_id AS "userId" FROM sso_sessions o JOIN sessions s ON s.id = o.session_id
  WHERE o.issuer = $1 AND ($2::text IS NULL OR o.subject = $2) AND ($3::text IS NULL OR o.sid = $3)
    AND s.ended_at IS NULL
  ORDER BY s.id`;
// Kept for longer than the token is accepted.
const addToken = `
  INSERT INTO logout_tokens (issuer, jti, expires_at) VALUES ($1, $2, now() + interval '15 minutes')
  ON CONFLICT DO NOTHING RETURNING jti`;

type Selector = Pick<LogoutToken, 'issuer' | 'subject' | 'sid'>;

/** The sessions that providers opened, and the logout tokens that ended them. */
export class SsoSessionRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async add(sessionId: number, identity: ConfirmedIdentity, transaction: Transaction): Promise<void> {
    const { provider, issuer, subject, sid } = identity;
    await query(this.#db, { sql: insert, values: [sessionId, provider, issuer, subject, sid], transaction });
  }

  /** Finds the provider that opened a session. */
  async findProvider(sessionId: number): Promise<string | undefined> {
    const [row] = await query<{ provider: string }>(this.#db, { sql: findProvider, values: [sessionId] });
    return row?.provider;
  }

  /** The open sessions of a person at a provider, or of one session there. */
  findOpen(
    { issuer, subject, sid }: Selector,
    transaction: Transaction,
  ): Promise<{ id: number; userId: number }[]> {
    return query(this.#db, { sql: selectOpen, values: [issuer, subject, sid], transaction });
  }

  /** Remembers a logout token. Returns false if the token has already been used. */
  async useToken({ issuer, jti }: LogoutToken, transaction: Transaction): Promise<boolean> {
    return (await query(this.#db, { sql: addToken, values: [issuer, jti], transaction })).length === 1;
  }
}
