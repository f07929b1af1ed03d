import type { Command } from 'commander';
import { collect } from '../collect.ts';
import { type GlobalOptions, openClient } from '../installation.ts';
import { printRows } from '../output.ts';

export function addCourses(program: Command): void {
  program
    .command('courses')
    .description('list your courses')
    .addHelpText('after', '\nExample:\n  gradeway courses --json | jq ".[].id"')
    .action(async (_, command: Command) => {
      const global = command.optsWithGlobals<GlobalOptions>();
      const client = await openClient(global);
      const { data: me } = await client.readMe();
      if (me.role === 'user') {
        const own = await collect(client.iterate.listOwnCourses());
        return printRows(own, { ID: ({ id }) => id, TITLE: ({ title }) => title }, global);
      }
      printRows(
        await collect(client.iterate.listGradingCourses()),
        {
          ID: ({ id }) => id,
          TITLE: ({ title }) => title,
          ROLE: ({ role }) => role,
          STUDENTS: ({ students }) => students,
        },
        global,
      );
    });
}
