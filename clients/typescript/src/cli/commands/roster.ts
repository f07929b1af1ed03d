import { open } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { applyFile, type FileReport } from '../applyFile.ts';
import { Misuse } from '../failures.ts';
import { type GlobalOptions, openInstallation } from '../installation.ts';
import { importRoster } from '../uploadOperations.ts';
import { parseId } from '../workItem.ts';
import { importOneRoster } from './importOneRoster.ts';

interface RosterReport extends FileReport {
  enrolled: number;
  created: number;
  unchanged: number;
}

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
      const isArchive = await isZip(file);
      if (!isArchive && options.course === undefined) throw new Misuse('Which course? Pass --course ID.');
      const installation = await openInstallation(options);
      if (isArchive) return importOneRoster(installation.client, file, options);
      const parameters = { course_id: options.course };
      const describe = ({ enrolled, created, unchanged }: RosterReport) =>
        `${enrolled} enrolled, ${created} accounts created, ${unchanged} unchanged.`;
      await applyFile(installation, { operation: importRoster, parameters, file }, describe, options);
    });
}

async function isZip(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4);
  return bytesRead === 4 && buffer.toString('latin1') === 'PK\x03\x04';
}
