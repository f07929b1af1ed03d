import type { Command } from 'commander';
import { callOperation } from '../../createClient.ts';
import { GradewayError } from '../../http/gradewayError.ts';
import type { Operation } from '../../http/operation.ts';
import { type GlobalOptions, openInstallation } from '../installation.ts';
import { print, printError, printJson, printRows } from '../output.ts';
import { parseId } from '../workItem.ts';

interface Token {
  id: number | string;
  name: string;
  scopes: string[];
  expires_at: string;
  last_used_at: string | null;
}

const path = '/api/v3/me/tokens';
const listTokens: Operation = { method: 'GET', path };
const createToken: Operation = { method: 'POST', path, body: ['application/json'] };
const deleteToken: Operation = { method: 'DELETE', path: `${path}/{id}` };

const sessionHint =
  'Tokens cannot manage tokens: log in with the access token of a session (POST /api/v3/login returns it), or use the web application.';

/** Sends a request that only a session may send, and explains the refusal of a token. */
async function send(global: GlobalOptions, operation: Operation, parameters = {}): Promise<unknown> {
  const { options } = await openInstallation(global);
  try {
    return await callOperation(options, operation, parameters);
  } catch (error) {
    if (error instanceof GradewayError && error.status === 403) printError(sessionHint);
    throw error;
  }
}

export function addTokens(program: Command): void {
  const tokens = program
    .command('tokens')
    .description('your personal tokens, for programs; needs the access token of a session');
  tokens
    .command('list', { isDefault: true })
    .description('list your tokens')
    .action(async (_, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const { data } = (await send(global, listTokens)) as { data: Token[] };
      printRows(
        data,
        {
          ID: ({ id }) => id,
          NAME: ({ name }) => name,
          SCOPES: ({ scopes }) => scopes.join(' '),
          EXPIRES: ({ expires_at }) => expires_at,
          'LAST USED': ({ last_used_at }) => last_used_at,
        },
        global,
      );
    });
  tokens
    .command('create')
    .description('create a token; it is shown this once')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scopes <scopes...>', 'what it may do, such as courses:read grades:write')
    .option('--expires-at <time>', 'such as 2027-01-31T00:00:00Z; 90 days from now by default')
    .addHelpText(
      'after',
      '\nExample:\n  gradeway tokens create --name "Grade export" --scopes courses:read grades:read',
    )
    .action(async (_, command: Command) => {
      type Options = GlobalOptions & { name: string; scopes: string[]; expiresAt?: string };
      const { name, scopes, expiresAt, ...global } = command.optsWithGlobals<Options>();
      const body = { name, scopes, ...(expiresAt && { expires_at: expiresAt }) };
      const { data } = (await send(global, createToken, { body })) as { data: Token & { token: string } };
      if (global.json) printJson(data);
      else print(data.token);
    });
  tokens
    .command('delete')
    .description('end a token')
    .argument('<id>', 'as gradeway tokens list shows it', parseId)
    .action(async (id: number, _, command: Command) => {
      await send(command.optsWithGlobals<GlobalOptions>(), deleteToken, { id });
      print('The token is ended.');
    });
}
