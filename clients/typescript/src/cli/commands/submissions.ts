import { type Command, Option } from 'commander';
import { collect } from '../collect.ts';
import { Misuse } from '../failures.ts';
import { type GlobalOptions, openClient } from '../installation.ts';
import { print, printJson, printRows } from '../output.ts';
import { saveCourse, saveFiles } from '../saveFiles.ts';
import { type ItemOptions, itemOf, parseId, withItem } from '../workItem.ts';

export function addSubmissions(program: Command): void {
  const submissions = program.command('submissions').description('what students handed in');
  withItem(submissions.command('list').description('list the submissions of a quiz or of homework'))
    .addOption(new Option('--status <status>').choices(['ungraded', 'graded', 'all']).default('all'))
    .addHelpText('after', '\nExample:\n  gradeway submissions list --quiz 7 --status ungraded')
    .action(async (_, command: Command) => {
      type Options = ItemOptions & GlobalOptions & { status: 'ungraded' | 'graded' | 'all' };
      const options = command.optsWithGlobals<Options>();
      const item = itemOf(options);
      const client = await openClient(options);
      printRows(
        await collect(client.iterate.listQueue({ ...item, status: options.status })),
        {
          ID: ({ id }) => id,
          STUDENT: ({ student }) => student.name,
          EMAIL: ({ student }) => student.email,
          SUBMITTED: ({ submitted_at }) => submitted_at,
          GRADE: ({ grade }) => grade,
        },
        options,
      );
    });
  withItem(
    submissions
      .command('download')
      .description('save the files of a quiz or of homework, or everything in a course as a ZIP archive'),
  )
    .addOption(
      new Option('--course <id>', 'the whole course (administrators)')
        .argParser(parseId)
        .conflicts(['quiz', 'homework']),
    )
    .option('--annotated', 'with the marks of the graders (only with --course)')
    .option('-o, --output <path>', 'the folder, or the name of the archive')
    .addHelpText(
      'after',
      '\nExamples:\n  gradeway submissions download --quiz 7 -o answers\n  gradeway submissions download --course 2 -o algebra.zip',
    )
    .action(async (_, command: Command) => {
      type Options = ItemOptions & GlobalOptions & { course?: number; annotated?: boolean; output?: string };
      const options = command.optsWithGlobals<Options>();
      const { course, annotated = false, output, json } = options;
      if (course === undefined && options.quiz === undefined && options.homework === undefined)
        throw new Misuse('Which ones? Pass --quiz ID, --homework CLASS_ID or --course ID.');
      if (annotated && course === undefined) throw new Misuse('--annotated needs --course ID.');
      const client = await openClient(options);
      const saved =
        course === undefined
          ? await saveFiles(client, itemOf(options), output ?? '.')
          : [await saveCourse(client, { course_id: course, annotated }, output)];
      if (json) printJson(saved);
      else print(saved.length === 0 ? 'Nothing has been handed in.' : saved.join('\n'));
    });
}
