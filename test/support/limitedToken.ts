import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { superuserUrl } from '@gradeway/local/embeddedPostgres';
import { defaultDatabase } from '@gradeway/local/openDatabase';
import { accessTokenType, audience, issuer } from '@gradeway/shared/auth/accessToken';
import type { Role } from '@gradeway/shared/auth/roles';
import jwt from 'jsonwebtoken';
import { Client } from 'pg';
import { decryptPrivateKey } from '../../services/auth/src/tokens/encryptedPrivateKey.ts';
import { scopes } from '../../shared/src/auth/scopes.ts';

interface Owner {
  id: number;
  role: Role;
}

const currentKey = `
  SELECT kid, sealed_private_key AS key FROM auth.signing_keys
  WHERE spent_at IS NULL AND revoked_at IS NULL AND signs_from <= now() ORDER BY signs_from DESC LIMIT 1`;

export type LimitedTokens = (owner: Owner, courseIds: number[]) => string;

/**
 * Signs program tokens with the key of the local system in a directory, for any account and any courses. No route
 * issues such a token to a person, and auth does not accept it.
 */
export async function limitedTokens(directory: string): Promise<LimitedTokens> {
  const read = async (name: string) => JSON.parse(await readFile(join(directory, name), 'utf8'));
  const [secrets, { port }] = await Promise.all([read('secrets.json'), read('run/postgres.json')]);
  const client = new Client(superuserUrl({ port, password: secrets.postgres }, defaultDatabase));
  await client.connect();
  const { rows } = await client.query<{ kid: string; key: Buffer }>(currentKey).finally(() => client.end());
  const [row] = rows;
  if (!row) throw new Error('auth has no signing key');
  const key = await decryptPrivateKey(row.key, row.kid, secrets.keyEncryption);
  const header = { alg: 'ES256', typ: accessTokenType, kid: row.kid };
  return ({ id, role }, courseIds) =>
    jwt.sign({ role, token_kind: 'personal', scope: scopes.join(' '), course_ids: courseIds }, key, {
      ...{ algorithm: 'ES256', header, issuer, audience, subject: String(id), jwtid: randomUUID() },
      expiresIn: '1h',
    });
}
