import type { Command } from 'commander';
import type { ParametersOf } from '../../clientTypes.ts';
import { collect } from '../collect.ts';
import { type GlobalOptions, openClient } from '../installation.ts';
import { print, printDone, printJson, printRows } from '../output.ts';
import { parseId } from '../workItem.ts';

type NewToken = ParametersOf<'createOwnToken'>['body'];

export function addTokens(program: Command): void {
  const tokens = program
    .command('tokens')
    .description('your personal tokens, for programs; needs the access token of a session');
  tokens
    .command('list', { isDefault: true })
    .description('list your tokens')
    .action(async (_, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const client = await openClient(global);
      printRows(
        await collect(client.iterate.listOwnTokens()),
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
    .requiredOption('--name <name>', 'what the token is used for')
    .requiredOption('--scopes <scopes...>', 'what it may do, such as courses:read grades:write')
    .option('--expires-at <time>', 'such as 2027-01-31T00:00:00Z; 90 days from now by default')
    .addHelpText(
      'after',
      '\nExample:\n  gradeway tokens create --name "Grade export" --scopes courses:read grades:read',
    )
    .action(async (_, command: Command) => {
      type Options = GlobalOptions & Pick<NewToken, 'name' | 'scopes'> & { expiresAt?: string };
      const { name, scopes, expiresAt, ...global } = command.optsWithGlobals<Options>();
      const body = { name, scopes, ...(expiresAt && { expires_at: expiresAt }) };
      const client = await openClient(global);
      const { data } = await client.createOwnToken({ body });
      if (global.json) printJson(data);
      else print(data.token);
    });
  tokens
    .command('delete')
    .description('end a token')
    .argument('<id>', 'as gradeway tokens list shows it', parseId)
    .action(async (id: number, _, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const client = await openClient(global);
      await client.deleteOwnToken({ id });
      printDone('The token is ended.', global);
    });
}
