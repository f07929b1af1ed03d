import { startDatabaseProxy } from '@gradeway/test/databaseProxy';
import { createEmptyDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, onTestFinished, test } from 'vitest';
import type { EventType } from '../../src/events/catalog.ts';
import { notificationChannel, PostgresListener } from '../../src/events/postgresListener.ts';
import { createLogger } from '../../src/process/logger.ts';

test('a listener whose server no longer answers connects again and receives notifications', async () => {
  const database = await createEmptyDatabase();
  const proxy = await startDatabaseProxy(database.url('broker'));
  const listener = new PostgresListener(proxy.url, createLogger('test', 'silent'));
  onTestFinished(async () => {
    proxy.close();
    await listener.close();
    await database.drop();
  });
  const woken: EventType[] = [];
  await listener.listen(['session.revoked.v1'], (type) => woken.push(type));
  const notify = async () => {
    await database.query('SELECT pg_notify($1, $2)', [notificationChannel, 'session.revoked.v1']);
    return woken.length > 0;
  };
  await waitFor(notify);
  proxy.freeze();
  woken.length = 0;
  await waitFor(notify);
  expect(new Set(woken)).toEqual(new Set(['session.revoked.v1']));
});
