import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { Client } from '../../clientTypes.ts';
import type { components } from '../../generated/schema.ts';
import { applyFile } from '../applyFile.ts';
import { collect } from '../collect.ts';
import { type GlobalOptions, openClient } from '../installation.ts';
import { counted, print, printJson } from '../output.ts';
import { courseOption, type ItemOptions, itemOf, withItem } from '../workItem.ts';

export function addGrades(program: Command): void {
  const grades = program.command('grades').description('grades as files');
  withItem(
    grades
      .command('import')
      .description(
        'grade a quiz or homework from a file with the columns email or student_id, grade, comment',
      )
      .argument('<file.csv>'),
  )
    .option('--dry-run', 'only say what would change')
    .addHelpText(
      'after',
      '\nAll lines are applied, or none.\n\nExamples:\n  gradeway grades import grades.csv --quiz 7 --dry-run\n  gradeway grades import grades.csv --homework 4',
    )
    .action(async (file: string, _, command: Command) => {
      const options = command.optsWithGlobals<ItemOptions & GlobalOptions & { dryRun?: boolean }>();
      const item = itemOf(options);
      const client = await openClient(options);
      await applyFile(
        file,
        (upload) => client.importGrades({ ...item, ...upload }),
        ({ changes, unchanged }) => `${counted(changes, 'change')}, ${unchanged} unchanged.`,
        options,
      );
    });
  grades
    .command('export')
    .description('the gradebook of a course: a line for each student, a column for each item')
    .addOption(courseOption())
    .addOption(new Option('--delimiter <character>').choices([',', ';']).default(','))
    .option('-o, --output <file>', 'a file instead of standard output')
    .addHelpText('after', '\nExample:\n  gradeway grades export --course 2 -o grades.csv')
    .action(async (_, command: Command) => {
      type Options = GlobalOptions & { course: number; delimiter: ',' | ';'; output?: string };
      const { course: course_id, delimiter, output, ...global } = command.optsWithGlobals<Options>();
      const client = await openClient(global);
      const text = global.json
        ? `${JSON.stringify(await readGrid(client, course_id), null, 2)}\n`
        : ((await client.readGradebookForGrader({ course_id, format: 'grid.csv', delimiter })) as string);
      if (output === undefined) return void process.stdout.write(text);
      await writeFile(output, text);
      if (global.json) printJson([output]);
      else print(output);
    });
}

/** The whole grid: the API returns it in pages of students. */
async function readGrid(client: Client, course_id: number) {
  const query = { course_id, format: 'grid' } as const;
  const { data } = (await client.readGradebookForGrader(query)) as components['schemas']['GradebookGrid'];
  return { data: { ...data, students: await collect(client.iterate.readGradebookForGrader(query)) } };
}
