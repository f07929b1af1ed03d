import type { Client } from '../clientTypes.ts';
import { createClient } from '../createClient.ts';
import { readCredentials } from './credentials.ts';
import { Misuse } from './failures.ts';

/** The options of every command. */
export interface GlobalOptions {
  url?: string;
  json: boolean;
}

/** The address from `--url`, `GRADEWAY_URL` or the last login. */
export async function installationUrl({ url }: GlobalOptions): Promise<string> {
  const address = url ?? (process.env.GRADEWAY_URL || (await readCredentials())?.url);
  if (!address)
    throw new Misuse(
      'Which installation? Pass --url https://school.example or set GRADEWAY_URL, and run gradeway login.',
    );
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new Misuse(`${address} is not an address such as https://school.example`);
  return address.replace(/\/+$/, '');
}

/**
 * A client of the installation, with the token from `GRADEWAY_TOKEN` or from the login to it. A token is never sent to
 * another host.
 */
export async function openClient(global: GlobalOptions): Promise<Client> {
  const baseUrl = await installationUrl(global);
  const kept = await readCredentials();
  const token = process.env.GRADEWAY_TOKEN || (kept?.url === baseUrl ? kept.token : undefined);
  if (!token) throw new Misuse(`No token for ${baseUrl}: run gradeway login, or set GRADEWAY_TOKEN.`);
  return createClient({ baseUrl, token });
}
