import { type Command, Option } from 'commander';
import { collect } from '../collect.ts';
import { Misuse } from '../failures.ts';
import { type GlobalOptions, openClient } from '../installation.ts';
import { print, printJson, printRows } from '../output.ts';
import { courseOption, type ItemOptions, itemOf, type Kind, parseId, withItem } from '../workItem.ts';
import { createWork } from './createWork.ts';

type Item = { id: number; title: string };

function show(what: string, item: Item, { json }: GlobalOptions): void {
  if (json) printJson(item);
  else print(`${what}: ${item.title.replaceAll(/\p{Cc}/gu, ' ')} (${item.id})`);
}

export function addWork(program: Command): void {
  const work = program.command('work').description('quizzes and homework');
  addList(work);
  work
    .command('create')
    .description(
      'create a quiz, or homework in a new class or in --class; students see it once it is published',
    )
    .addOption(courseOption())
    .requiredOption('--title <title>', 'title of the quiz, or of the new class')
    .addOption(new Option('--kind <kind>').choices(['quizzes', 'homeworks']).default('quizzes'))
    .option('--class <id>', 'an existing class for the homework', parseId)
    .option('--file <pdf>', 'the questions')
    .option('--opens-at <time>', 'such as 2026-12-01T08:00:00Z')
    .option('--closes-at <time>', 'such as 2026-12-08T18:00:00Z')
    .option('--duration <minutes>', 'of a quiz', Number)
    .option('--publish', 'let students see it at once')
    .addHelpText(
      'after',
      `
Examples:
  gradeway work create --course 2 --title "First steps" --duration 45 --file questions.pdf
  gradeway work create --course 2 --title "Groups" --kind homeworks --closes-at 2026-12-08T18:00:00Z`,
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals();
      const client = await openClient(options as GlobalOptions);
      show('Created', await createWork(client, options as never), options as GlobalOptions);
    });
  withItem(work.command('publish').description('let students see it')).action(async (_, command: Command) => {
    const options = command.optsWithGlobals<ItemOptions & GlobalOptions>();
    const item = itemOf(options);
    const client = await openClient(options);
    const { data } = await client.changeItem({ ...item, body: { published: true }, ifMatch: '*' });
    show('Published', data, options);
  });
  withItem(work.command('release').description('let students see their grades')).action(
    async (_, command: Command) => {
      const options = command.optsWithGlobals<ItemOptions & GlobalOptions>();
      const item = itemOf(options);
      const client = await openClient(options);
      const { data } = await client.releaseGrades(item);
      show('Grades released', data, options);
    },
  );
  addCopy(work);
}

function addList(work: Command): void {
  work
    .command('list')
    .description('list the quizzes and homework of a course')
    .addOption(courseOption())
    .addOption(new Option('--kind <kind>', 'only one kind').choices(['quizzes', 'homeworks']))
    .addOption(new Option('--state <state>').choices(['draft', 'open', 'closed', 'all']).default('all'))
    .addHelpText('after', '\nExample:\n  gradeway work list --course 2 --state open')
    .action(async (_, command: Command) => {
      type Options = GlobalOptions & {
        course: number;
        kind?: Kind;
        state: 'draft' | 'open' | 'closed' | 'all';
      };
      const options = command.optsWithGlobals<Options>();
      const client = await openClient(options);
      const kinds: Kind[] = options.kind ? [options.kind] : ['quizzes', 'homeworks'];
      const lists = kinds.map(async (kind) => {
        const query = { kind, course_id: options.course, state: options.state };
        const items = await collect(client.iterate.listGradingItems(query));
        return items.map((item) => ({ kind, ...item }));
      });
      printRows(
        (await Promise.all(lists)).flat(),
        {
          KIND: ({ kind }) => kind,
          ID: ({ id }) => id,
          TITLE: ({ title }) => title,
          PUBLISHED: ({ published }) => (published ? 'yes' : 'no'),
          CLOSES: ({ closes_at }) => closes_at,
          SUBMISSIONS: ({ submissions }) => submissions,
          GRADED: ({ graded }) => graded,
        },
        options,
      );
    });
}

function addCopy(work: Command): void {
  withItem(work.command('copy').description('copy it as a draft, with its rubric and questions'))
    .option('--course <id>', 'the course that gets the copy of a quiz', parseId)
    .option('--class <id>', 'the class that gets the copy of homework', parseId)
    .option('--title <title>', 'another title for the copy of a quiz')
    .addHelpText(
      'after',
      '\nExamples:\n  gradeway work copy --quiz 7 --course 3\n  gradeway work copy --homework 4 --class 9',
    )
    .action(async (_, command: Command) => {
      type Options = ItemOptions & GlobalOptions & { course?: number; class?: number; title?: string };
      const options = command.optsWithGlobals<Options>();
      const item = itemOf(options);
      const { course: course_id, class: class_id, title } = options;
      if (item.kind === 'quizzes' && course_id === undefined) throw new Misuse('Where to? Pass --course ID.');
      if (item.kind === 'homeworks' && class_id === undefined) throw new Misuse('Where to? Pass --class ID.');
      const client = await openClient(options);
      const body = item.kind === 'quizzes' ? { course_id, title } : { class_id };
      const { data } = await client.copyItem({ ...item, body: body as { course_id: number } });
      show('Copied', data, options);
    });
}
