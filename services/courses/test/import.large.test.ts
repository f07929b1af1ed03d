import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImportRow, type ImportSystem, startImportSystem } from './importSystem.ts';
import { archiveOf, schoolOf } from './oneRosterArchive.ts';

// A separate system, because the events of a large import would delay the events of other tests.
let system: ImportSystem;
beforeAll(async () => {
  system = await startImportSystem();
});
afterAll(() => system.close());

test('an import of ten thousand rows is committed', async () => {
  const archive = await archiveOf(schoolOf('large', 5_000));
  const answer = await system.send(archive, '');
  expect(answer).toMatchObject({ status: 200, body: { data: { state: 'done' } } });
  const created = (answer.body.data.rows as ImportRow[]).filter(({ action }) => action === 'create');
  expect(created).toHaveLength(10_002);
});
