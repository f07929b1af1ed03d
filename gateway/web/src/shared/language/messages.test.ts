import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../..', import.meta.url));
const arabic: Record<string, string> = JSON.parse(
  readFileSync(new URL('messages/ar.json', import.meta.url), 'utf8'),
);
const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
const code = files.map((file) => readFileSync(`${source}/${file}`, 'utf8')).join('\n');

// English messages of the API that are shown to users.
const answers = ['These credentials do not match our records.', 'A second factor is required.'];

test('every English text in the code has an Arabic translation', () => {
  const used = [...code.matchAll(/\bt\(\s*'((?:[^'\\]|\\.)+)'/g)].map(([, text]) => text);
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((text) => text !== undefined && !(text in arabic))).toEqual([]);
});

test('every Arabic translation is used', () => {
  const unused = Object.keys(arabic).filter(
    (text) =>
      !answers.includes(text) && !code.includes(`'${text}'`) && !new RegExp(`\\b${text}: '`).test(code),
  );
  expect(unused).toEqual([]);
});

test('a translation has the parameters of its English text', () => {
  const parameters = (text: string) => [...new Set(text.match(/\{\w+(?=[,}])/g))].sort();
  for (const [english, translation] of Object.entries(arabic)) {
    expect(parameters(translation), english).toEqual(parameters(english));
    expect(() => compileMessage(translation), english).not.toThrow();
  }
});
