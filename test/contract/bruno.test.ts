import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { operations } from '../support/openApi.ts';

const folder = fileURLToPath(new URL('../../clients/bruno/', import.meta.url));

// test/thirdParty/bruno compares all of their text, and sends the safe ones.
test('the Bruno collection has a request for each operation of the OpenAPI document', () => {
  const requests = globSync('*/*.bru', { cwd: folder, exclude: ['environments/*', '*/folder.bru'] }).map(
    (path) => {
      const text = readFileSync(folder + path, 'utf8');
      const [, method, address] = /^(\w+) \{\n {2}url: \{\{baseUrl\}\}(\S+)/m.exec(text) ?? [];
      return `${path.replace(/^.*\/|\.bru$/g, '')}: ${method} ${address}`;
    },
  );
  const expected = operations.map(
    ({ method, template, operation }) =>
      `${operation.operationId}: ${method} ${template.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  );
  expect(requests.toSorted()).toEqual(expected.toSorted());
});
