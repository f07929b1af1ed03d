import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makePdf } from '@gradeway/local/demoPdf';
import { superuserUrl } from '@gradeway/local/embeddedPostgres';
import { accessTokenType } from '@gradeway/shared/auth/accessToken';
import { Fixtures } from '@gradeway/test/fixtures';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { hasRabbit, startRabbit } from '@gradeway/test/rabbitmq';
import { audience, issuer } from '@gradeway/test/tokenIssuer';
import jwt from 'jsonwebtoken';
import { Client } from 'pg';
import { decryptPrivateKey } from '../../../services/auth/src/tokens/encryptedPrivateKey.ts';

export interface Student {
  id: number;
  token: string;
}

/** The whole system as shipped, with RabbitMQ where it is installed, and a course of many students. */
export interface School {
  system: LocalSystem;
  fixtures: Fixtures;
  courseId: number;
  students: Student[];
  /** A PDF of the given size. */
  pdf: Buffer;
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

interface Options {
  students: number;
  pdfBytes: number;
  /** The checkout that is measured: this one, or another to compare with. */
  root?: string;
  env?: Record<string, string>;
}

const insertUsers = `
  INSERT INTO auth.users (first_name, last_name, email, password_hash, role, is_approved, is_verified, is_verified_mobile)
  SELECT 'Ada', 'Student ' || n, $2 || n || '@bench.example', '', 'user', true, true, false
  FROM generate_series(1, $1::integer) n RETURNING id`;
const insertPeople = (schema: string) => `
  INSERT INTO ${schema}.people (user_id, first_name, last_name, email, is_deleted, revision)
  SELECT id, first_name, last_name, email, false, revision FROM auth.users WHERE id = ANY($1::integer[])`;
const enroll = `
  INSERT INTO courses.roster (course_id, user_id, is_enrolled, paid, revision)
  SELECT $2, id, true, true, 1 FROM unnest($1::integer[]) AS student (id)`;

export async function startSchool({ students, pdfBytes, root, env = {} }: Options): Promise<School> {
  const rabbit = hasRabbit ? await startRabbit() : undefined;
  const system = await startLocalSystem(
    { RATE_LIMIT_PER_MINUTE: '0', ...(rabbit ? { EVENTS_URL: rabbit.url } : {}), ...env },
    root === undefined ? undefined : pathToFileURL(`${root}/`),
  );
  const secrets = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
  const { port } = await system.process('postgres');
  const client = new Client(superuserUrl({ port, password: secrets.postgres }, 'gradeway'));
  await client.connect();
  const query: School['query'] = async (sql, values) => (await client.query(sql, values)).rows;

  const fixtures = new Fixtures(system);
  const courseId = await fixtures.newCourse();
  const ids = (await query<{ id: number }>(insertUsers, [students, randomUUID()])).map(({ id }) => id);
  for (const schema of ['courses', 'quiz', 'homework']) await query(insertPeople(schema), [ids]);
  await query(enroll, [ids, courseId]);
  const sign = await tokenSigner(query, secrets.keyEncryption);
  return {
    system,
    fixtures,
    courseId,
    students: ids.map((id) => ({ id, token: sign(id) })),
    pdf: await makePdf('A scan', { bytes: pdfBytes }),
    query,
    async stop() {
      await client.end();
      await system.remove();
      await rabbit?.stop();
    },
  };
}

// A thousand logins would take half a minute of argon2id.
async function tokenSigner(query: School['query'], secret: string): Promise<(userId: number) => string> {
  const select = `
    SELECT kid, sealed_private_key AS sealed FROM auth.signing_keys
    WHERE sealed_private_key IS NOT NULL AND signs_from <= now() ORDER BY signs_from DESC LIMIT 1`;
  const [key] = await query<{ kid: string; sealed: Buffer }>(select);
  if (!key) throw new Error('auth has no signing key');
  const { kid, sealed } = key;
  const privateKey = await decryptPrivateKey(sealed, kid, secret);
  const header = { alg: 'ES256', typ: accessTokenType, kid };
  return (userId) => {
    const iat = Math.floor(Date.now() / 1000);
    const times = { iat, exp: iat + 7_200 };
    const own = { sub: String(userId), sid: 1_000_000 + userId, role: 'user', jti: randomUUID(), ...times };
    return jwt.sign({ ...own, iss: issuer, aud: audience }, privateKey, { algorithm: 'ES256', header });
  };
}
