import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/coverage.md', root), 'utf8');
const rows = page.split('\n').flatMap((line) => {
  const [, promise, file, name] = /^\| (.+) \| `(.+)` \| (.+) \|$/.exec(line) ?? [];
  return promise && file && name ? [{ promise, file, name }] : [];
});

test('docs/coverage.md has a row for each promise', () => {
  expect(rows.length).toBeGreaterThan(50);
});

test.each(rows)('docs/coverage.md names an existing test for: $promise', ({ file, name }) => {
  const source = readFileSync(new URL(file, root), 'utf8');
  const isTitle = ["'", '"', '`'].some((quote) => source.includes(quote + name + quote));
  expect(isTitle, `no test of ${file} is called: ${name}`).toBe(true);
});
