import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files that may compare the times of an item, and why. */
const reasons: Record<string, string> = {
  'shared/src/submissions/submissionPeriod.ts': 'decides whether work is accepted',
  'shared/src/items/personalTimes.ts': 'computes the times of one student',
  'shared/src/items/lateness.ts': 'counts how late work is',
  'shared/src/items/serializeLateRule.ts':
    'hides a rule for late work that ends before the student’s own time',
  'shared/src/items/requireConsistent.ts': 'compares the times of an item with each other',
  'services/quiz/src/domain/changeQuiz.ts': 'compares the times of a quiz with each other',
  'services/quiz/src/domain/submissionWindow.ts': 'finds the start of an attempt',
};

const time = '(?:opensAt|closesAt|acceptedUntil|allowedUntil)';
const comparison = new RegExp(
  `\\b${time}\\b(?:\\.getTime\\(\\))? *(?:[<>]=?|-) |(?:[^=]>=?|<=?|-) (?:\\w+\\.)*${time}\\b`,
);

test('the times of an item are compared in one place only', async () => {
  const comparing: string[] = [];
  const sources = '{services/quiz,services/homework,shared}/src/**/*.ts';
  for await (const file of glob(sources, { cwd: root }))
    if (
      readFileSync(`${root}${file}`, 'utf8')
        .split('\n')
        .some((line) => comparison.test(line))
    )
      comparing.push(file);
  expect(comparing.filter((file) => !(file in reasons))).toEqual([]);
  expect(comparing).toContain('shared/src/submissions/submissionPeriod.ts');
});
