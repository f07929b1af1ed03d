import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Credentials {
  url: string;
  token: string;
}

const configDirectory = (): string =>
  process.env.XDG_CONFIG_HOME ||
  (process.platform === 'win32' && process.env.APPDATA) ||
  join(homedir(), '.config');

export const credentialsFile = (): string => join(configDirectory(), 'gradeway', 'credentials.json');

/** What `gradeway login` stored; undefined before the first login. */
export async function readCredentials(): Promise<Credentials | undefined> {
  const text = await readFile(credentialsFile(), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as Credentials);
}

/** Only the user can read the file, even before it is complete. */
export async function keepCredentials(credentials: Credentials): Promise<void> {
  const file = credentialsFile();
  const partial = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(partial, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(partial, file);
}

export const forgetCredentials = (): Promise<void> => rm(credentialsFile(), { force: true });
