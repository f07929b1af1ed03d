import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addCourses } from './commands/courses.ts';
import { addGrades } from './commands/grades.ts';
import { addLogin } from './commands/login.ts';
import { addRoster } from './commands/roster.ts';
import { addSubmissions } from './commands/submissions.ts';
import { addTokens } from './commands/tokens.ts';
import { addWork } from './commands/work.ts';

// The bundle is at the same depth in the package as this file.
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const help = `
Environment:
  GRADEWAY_URL    the installation, instead of --url
  GRADEWAY_TOKEN  the token, instead of the one that login kept
  NO_COLOR        no colors

Exit codes: 0 done, 1 refused, 2 wrong usage, 3 the installation is unreachable.

Examples:
  gradeway login --url https://school.example
  gradeway courses
  gradeway work list --course 2
  gradeway grades import grades.csv --quiz 7 --dry-run`;

export function createProgram(): Command {
  const program = new Command('gradeway')
    .description('Courses, work and grades of a Gradeway installation')
    .version(version)
    .option('--url <url>', 'the installation')
    .option('--json', 'print JSON', false)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help shows how)')
    .exitOverride()
    .addHelpText('after', help);
  for (const add of [addLogin, addCourses, addWork, addSubmissions, addGrades, addRoster, addTokens])
    add(program);
  return program;
}
