import { expect, test } from 'vitest';
import { findBrokenReferences } from '../references/findBrokenReferences.ts';

const contract = `# The contract

## Limits

### 8. \`GET /students\`

**D25. Order of checks.** First things first.
`;

const sound: Record<string, string> = {
  'docs/contract.md': contract,
  'docs/decisions/README.md': '- [First](0001-first.md)\n',
  'docs/decisions/0001-first.md': '# 1. First\n',
  'services/quiz/package.json': '{}',
  'services/quiz/src/main.ts': "log.info('quiz started');\n",
  'services/quiz/src/domain/window.ts': '// The order of the checks is the order of the answers (D25).\n',
  'services/quiz/migrations/0001-quizzes.sql': '-- src/domain/window.ts\n',
  'services/quiz/README.md':
    'See `src/domain/window.ts`, `node dist/main.js`, `main.ts` and [limits](../../docs/contract.md#limits).\n',
};

const reasonsWith = (path: string, text: string) =>
  findBrokenReferences(new Map(Object.entries({ ...sound, [path]: text }))).map(
    (each) => `${each.path}:${each.line}: ${each.reason}`,
  );

test('references that resolve are accepted', () => {
  expect(findBrokenReferences(new Map(Object.entries(sound)))).toEqual([]);
});

test.each([
  ['// As in (D25).', []],
  ['// As in\n// (D99).', ['a.ts:2: docs/contract.md does not define D99']],
  ["test('is refused (D99)', run);", ['a.ts:1: docs/contract.md does not define D99']],
  ['// decision 1, decisions/0001', []],
  ['// decision 7', ['a.ts:1: there is no decision 7']],
  ['// docs/decisions/0007', ['a.ts:1: there is no decision 0007']],
  ['// specification 8; specification, "Limits"', []],
  ['// specification 8 and 9', ['a.ts:1: docs/contract.md has no endpoint 9']],
  ['// specification, "Offers"', ['a.ts:1: docs/contract.md has no section "Offers"']],
  ['// docs/contract.md, "Limits"', []],
  ['// docs/contract.md, "Offers"', ['a.ts:1: docs/contract.md has no section "Offers"']],
  ['// docs/missing.md, "Limits"', ['a.ts:1: there is no docs/missing.md']],
  ['// services/quiz/src/main.ts, services/<name>/src, services/*/src/{main,other}.ts', []],
  ['// services/quiz/src/other.ts', ['a.ts:1: there is no services/quiz/src/other.ts']],
  ['// window.ts, pdf.js, and.so.on', []],
  ['// door.ts', ['a.ts:1: there is no door.ts']],
  ["import './services/quiz/src/other.ts';", []],
  ['# $here/../shared/tools/host', ['a.ts:1: ../shared/tools/host is outside the repository']],
])('the source %j has the broken references %j', (text, reasons) => {
  expect(reasonsWith('a.ts', text)).toEqual(reasons);
});

test.each([
  ['[quiz](services/quiz), [top](#top)\n\n# Top', []],
  ['[quiz](services/quizzes)', ['a.md:1: the link services/quizzes leads nowhere']],
  ['[out](../other.md)', ['a.md:1: the link ../other.md leads nowhere']],
  ['[limits](docs/contract.md#offers)', ['a.md:1: docs/contract.md has no heading for #offers']],
  ['[site](https://example.org/missing.md)', []],
  ['`services/quiz/src/other.ts`', ['a.md:1: there is no services/quiz/src/other.ts']],
  ['`src/domain/`, `/api/v3/openapi.json`, `quiz/`, `manifest.csv`', []],
  ['`src/routes/`', ['a.md:1: there is no src/routes/']],
  ['`npm test -- services/quiz/test`', ['a.md:1: there is no services/quiz/test']],
  ['```sh\nnode services/quiz/other.js\n```', ['a.md:2: there is no services/quiz/other.js']],
])('the page %j has the broken references %j', (text, reasons) => {
  expect(reasonsWith('a.md', text)).toEqual(reasons);
});

test('a log message or panel of the runbook that does not exist is found', () => {
  const runbook = 'The log says "quiz started"; see the panel "Busiest routes".\n';
  expect(reasonsWith('docs/runbook.md', runbook)).toEqual([
    'docs/runbook.md:1: no log message or panel is called "Busiest routes"',
  ]);
});

test('an example of the style guide that its file no longer contains is found', () => {
  const guide = (code: string) => `Like this (\`services/quiz/src/main.ts\`):\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
  expect(reasonsWith('docs/style.md', guide("log.info('quiz started');"))).toEqual([]);
  expect(reasonsWith('docs/style.md', guide("log.info('started');"))).toEqual([
    'docs/style.md:1: the example is not in services/quiz/src/main.ts',
  ]);
});

test('a decision record out of order is found', () => {
  expect(reasonsWith('docs/decisions/0003-third.md', '# 4. Third\n')).toEqual([
    'docs/decisions/README.md:1: there is no decision 2, but a later one',
    'docs/decisions/0003-third.md:1: the title does not begin with "# 3. "',
    'docs/decisions/README.md:1: the index does not list docs/decisions/0003-third.md',
  ]);
});
