import { setTimeout as sleep } from 'node:timers/promises';
import { summarize } from '@gradeway/shared/tracing/sqlSpans';
import { scrape } from './metrics.ts';
import type { ServiceProcess } from './serviceProcess.ts';
import { waitFor } from './waitFor.ts';
import type { WatchedDatabase } from './watchedDatabase.ts';

interface Options {
  service: ServiceProcess;
  /** The database of the service. */
  watched: WatchedDatabase;
  send(): Promise<{ status: number }>;
}

interface RoundTrips {
  status: number;
  /** Operation and table of each statement, in order. */
  statements: string[];
  /** The names of the calls to other services. */
  calls: string[];
}

/** Sends a request and returns the round trips that its service made for it. */
export async function observeRoundTrips({ service, watched, send }: Options): Promise<RoundTrips> {
  const before = await callsOf(service);
  await settle(watched);
  const { status } = await send();
  const statements = watched.takeStatements().map((sql) => {
    const { operation, table } = summarize(sql);
    return table ? `${operation} ${table}` : operation;
  });
  const calls = [...(await callsOf(service))].flatMap(([name, count]) =>
    Array<string>(count - (before.get(name) ?? 0)).fill(name),
  );
  return { status, statements, calls };
}

async function callsOf({ adminUrl }: ServiceProcess): Promise<Map<string, number>> {
  const samples = (await scrape(adminUrl)).find('rpc_client_call_duration_seconds_count');
  const calls = new Map<string, number>();
  for (const { labels, value } of samples) {
    const name = labels.rpc_method?.split('/')[1] ?? '';
    if (name !== 'ListRevocations' && name !== 'WatchRevocations')
      calls.set(name, (calls.get(name) ?? 0) + value);
  }
  return calls;
}

// Earlier requests and events may have left the service with work to do.
const settle = (watched: WatchedDatabase) =>
  waitFor(async () => {
    watched.takeStatements();
    // Only waiting shows that no further statement follows.
    await sleep(300);
    return watched.takeStatements().length === 0;
  });
