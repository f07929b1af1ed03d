import { open } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { applyFile } from '../applyFile.ts';
import { Misuse } from '../failures.ts';
import { type GlobalOptions, openClient } from '../installation.ts';
import { counted } from '../output.ts';
import { parseId } from '../workItem.ts';
import { importOneRoster } from './importOneRoster.ts';

export function addRoster(program: Command): void {
  program
    .command('roster')
    .description('who is in a course')
    .command('import')
    .description('enroll the people in a file with the columns name and email, or import a OneRoster archive')
    .argument('<file>', 'a CSV file, or a ZIP archive of OneRoster 1.1 (administrators)')
    .addOption(new Option('--course <id>', 'the course, for a CSV file').argParser(parseId))
    .option('--dry-run', 'only say what would change')
    .addHelpText(
      'after',
      `
Nobody is removed from the course. All lines are applied, or none.

Examples:
  gradeway roster import students.csv --course 2 --dry-run
  gradeway roster import oneroster.zip`,
    )
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { course?: number; dryRun?: boolean }>();
      if (await isZip(file)) return importOneRoster(await openClient(options), file, options);
      const { course: course_id } = options;
      if (course_id === undefined) throw new Misuse('Which course? Pass --course ID.');
      const client = await openClient(options);
      await applyFile(
        file,
        (upload) => client.importRoster({ course_id, ...upload }),
        ({ enrolled, created, unchanged }) =>
          `${enrolled} enrolled, ${counted(created, 'account')} created, ${unchanged} unchanged.`,
        options,
      );
    });
}

async function isZip(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4);
  return bytesRead === 4 && buffer.toString('latin1') === 'PK\x03\x04';
}
