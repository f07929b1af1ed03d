import type { Command } from 'commander';
import { createClient } from '../../createClient.ts';
import { askForToken } from '../askForToken.ts';
import { credentialsFile, forgetCredentials, keepCredentials } from '../credentials.ts';
import { type GlobalOptions, installationUrl } from '../installation.ts';
import { print, printDone, printJson } from '../output.ts';

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('check a token and keep it for the next commands')
    .addHelpText(
      'after',
      `
The token is read from GRADEWAY_TOKEN, from standard input, or asked for. Only you can read the file that keeps it.

Examples:
  gradeway login --url https://school.example
  gradeway login --url https://school.example <token.txt`,
    )
    .action(async (_, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const url = await installationUrl(global);
      const token = process.env.GRADEWAY_TOKEN || (await askForToken());
      const { data } = await createClient({ baseUrl: url, token }).readMe();
      await keepCredentials({ url, token });
      if (global.json) return printJson(data);
      print(`Logged in to ${url} as ${data.name} (${data.role}).\nThe token is in ${credentialsFile()}.`);
    });
  program
    .command('logout')
    .description('delete the token that login kept; the token itself stays valid')
    .action(async (_, command: Command) => {
      await forgetCredentials();
      printDone('The token is deleted from this computer.', command.optsWithGlobals<GlobalOptions>());
    });
}
