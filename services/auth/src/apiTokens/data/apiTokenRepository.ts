import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { ApiToken, TokenOwner } from '../domain/apiToken.ts';

interface NewToken extends Pick<ApiToken, 'name' | 'scopes' | 'expiresAt'> {
  tokenId: string;
  keyId: string;
}

/** When a token was used. */
interface TokenUse {
  tokenId: string;
  usedAt: Date;
}

const columns = `
  id, name, scopes, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt"`;
const ofOwner =
  'user_id IS NOT DISTINCT FROM $1::integer AND service_account_id IS NOT DISTINCT FROM $2::integer';

const insert = `
  INSERT INTO api_tokens (user_id, service_account_id, token_id, name, scopes, key_id, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${columns}`;
const count = `SELECT count(*)::integer AS total FROM api_tokens WHERE ${ofOwner}`;
const select = `SELECT ${columns} FROM api_tokens WHERE ${ofOwner} ORDER BY id DESC LIMIT $3 OFFSET $4`;
const selectOfAccounts = `
  SELECT service_account_id AS "serviceAccountId", ${columns} FROM api_tokens
  WHERE service_account_id = ANY($1) ORDER BY id DESC`;
const selectName = `
  SELECT coalesce(s.name, t.name) AS name
  FROM api_tokens t LEFT JOIN service_accounts s ON s.id = t.service_account_id WHERE t.token_id = $1`;

// The entry is needed until the token expires, plus five minutes for clock skew.
const end = `
  WITH ended AS (
    DELETE FROM api_tokens WHERE ${ofOwner} AND ($3::integer IS NULL OR id = $3) RETURNING token_id, expires_at),
  revoked AS (
    INSERT INTO revocations (token_id, expires_at) SELECT token_id, expires_at + interval '5 minutes' FROM ended)
  SELECT count(*)::integer AS total FROM ended`;

// Other replicas may have recorded a later use. A clock that is ahead must not set a time in the future.
const recordUses = `
  UPDATE api_tokens t SET last_used_at = used.at
  FROM (SELECT token_id, least(at, now()) AS at FROM unnest($1::uuid[], $2::timestamptz[]) AS uses (token_id, at)) AS used
  WHERE t.token_id = used.token_id AND (t.last_used_at IS NULL OR t.last_used_at < used.at)`;

/** The tokens that were issued for programs. */
export class ApiTokenRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async create(owner: TokenOwner, token: NewToken, transaction: Transaction): Promise<ApiToken> {
    const { tokenId, name, scopes, keyId, expiresAt } = token;
    const values = [...idsOf(owner), tokenId, name, scopes, keyId, expiresAt];
    const [created] = await query<ApiToken>(this.#db, { sql: insert, values, transaction });
    if (!created) throw new Error('INSERT … RETURNING returned no row');
    return created;
  }

  async count(owner: TokenOwner, transaction?: Transaction): Promise<number> {
    const counted = { sql: count, values: idsOf(owner), transaction };
    const [row] = await query<{ total: number }>(this.#db, counted);
    return row?.total ?? 0;
  }

  /** Returns one page of an owner's tokens, newest first. */
  async page(owner: TokenOwner, page: Page): Promise<SelectedPage<ApiToken>> {
    return selectPage(page, await this.count(owner), (limit, offset) =>
      query<ApiToken>(this.#db, { sql: select, values: [...idsOf(owner), limit, offset] }),
    );
  }

  /** Returns the tokens of service accounts, newest first. */
  ofServiceAccounts(ids: number[]): Promise<(ApiToken & { serviceAccountId: number })[]> {
    return query(this.#db, { sql: selectOfAccounts, values: [ids] });
  }

  /**
   * The name of the token's service account or, for a personal token, the token's own name. Undefined once
   * the token has ended.
   */
  async nameOf(tokenId: string): Promise<string | undefined> {
    const [row] = await query<{ name: string }>(this.#db, { sql: selectName, values: [tokenId] });
    return row?.name;
  }

  /** Ends a token. Returns 0 if the owner has no such token. */
  end(owner: TokenOwner, id: number, transaction: Transaction): Promise<number> {
    return this.#end(owner, id, transaction);
  }

  async endAll(owner: TokenOwner, transaction: Transaction): Promise<void> {
    await this.#end(owner, null, transaction);
  }

  async recordUses(uses: TokenUse[]): Promise<void> {
    const values = [uses.map(({ tokenId }) => tokenId), uses.map(({ usedAt }) => usedAt)];
    await query(this.#db, { sql: recordUses, values });
  }

  async #end(owner: TokenOwner, id: number | null, transaction: Transaction): Promise<number> {
    const values = [...idsOf(owner), id];
    const [row] = await query<{ total: number }>(this.#db, { sql: end, values, transaction });
    return row?.total ?? 0;
  }
}

const idsOf = (owner: TokenOwner): [userId: number | null, serviceAccountId: number | null] =>
  'userId' in owner ? [owner.userId, null] : [null, owner.serviceAccountId];
