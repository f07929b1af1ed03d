// Imports 100,000 OneRoster rows, compared with COPY of the same rows, and measures other requests meanwhile.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFakePeers } from '@gradeway/test/fakePeers';
import { startRabbit } from '@gradeway/test/rabbitmq';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { startBenchDatabase } from '../support/database/benchDatabase.ts';
import type { Row } from '../support/measuring/row.ts';
import { median, percentile, short } from '../support/measuring/statistics.ts';
import { startBenchProcess } from '../support/processes/benchProcess.ts';
import { importSchool } from '../support/school/importSchool.ts';
import { schoolCsv } from '../support/school/schoolCsv.ts';

const [rows, imports] = [100_000, 3];

export async function run(): Promise<Row[]> {
  const [database, rabbit] = [await startBenchDatabase({ durable: true }), await startRabbit()];
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const env = { EVENTS_URL: rabbit.url };
  const auth = await startBenchProcess('auth', { database, peers, tokens, env });
  const ofAuth = { ...peers, authGrpc: auth.grpcAddress };
  const courses = await startBenchProcess('courses', { database, peers: ofAuth, tokens, env });
  const token = tokens.sign(1, 'admin');
  const [times, copies, others, peaks] = [[], [], [], []] as [number[], number[], number[], number[]];
  for (let number = 1; number <= imports; number += 1) {
    const school = schoolCsv(`s${number}`, rows);
    copies.push(copyRows(school, database.url('courses')));
    for (const each of [auth, courses]) await each.resetPeak();
    const probe = startProbe(`${courses.url}/api/v3/admin/courses`, token);
    times.push(await importSchool(courses, token, school));
    others.push(percentile(await probe.stop(), 99));
    peaks.push(
      ...(await Promise.all([auth, courses].map((each) => each.peakMemory()))).map(
        (bytes) => bytes / 2 ** 20,
      ),
    );
    console.log(`import ${number}: ${short(times.at(-1) ?? 0)} s, COPY ${short(copies.at(-1) ?? 0)} s`);
  }
  for (const each of [courses, auth]) await each.stop();
  await rabbit.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();

  const work = `import of ${rows} OneRoster rows`;
  const copied = `COPY takes ${short(median(copies))} s: ${short(median(times) / median(copies))} times as fast`;
  return [
    {
      name: 'import.time',
      work: `${work}, dry run and commit`,
      against: 'COPY of the same rows',
      goal: { atMost: 60 },
      unit: 's',
      values: times,
      note: copied,
    },
    {
      name: 'import.memory',
      work: `${work}: most resident memory of courses and of auth`,
      against: '-',
      goal: { atMost: 300 },
      unit: 'MB',
      values: [Math.max(...peaks)],
    },
    {
      name: 'import.others',
      work: `${work}: the list of courses meanwhile, p99`,
      against: '-',
      goal: { atMost: 100 },
      unit: 'ms',
      values: others,
    },
  ];
}

/** The seconds that COPY takes to load text tables with a primary key. */
function copyRows(school: Record<string, string>, databaseUrl: string): number {
  const directory = mkdtempSync(join(tmpdir(), 'gradeway-copy-'));
  const commands = Object.entries(school).flatMap(([name, text]) => {
    const file = join(directory, name);
    writeFileSync(file, text);
    const columns = (text.split('\n', 1)[0] ?? '').trim().split(',');
    const table = `copied_${name.replace('.csv', '')}`;
    const definition = columns.map((column, index) => `"${column}" text${index === 0 ? ' PRIMARY KEY' : ''}`);
    const create = `DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${definition.join(', ')});`;
    return ['-c', create, '-c', `\\copy ${table} FROM '${file}' (FORMAT csv, HEADER)`];
  });
  const startedAt = performance.now();
  execFileSync('psql', ['-q', ...commands, databaseUrl], { stdio: ['ignore', 'ignore', 'inherit'] });
  const seconds = (performance.now() - startedAt) / 1_000;
  rmSync(directory, { recursive: true });
  return seconds;
}

// One request every twenty milliseconds, or after the response to the previous one.
function startProbe(address: string, token: string): { stop(): Promise<number[]> } {
  const times: number[] = [];
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      const sentAt = performance.now();
      const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`a request failed with status ${answer.status}`);
      times.push(performance.now() - sentAt);
      await sleep(20);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await running;
      return times;
    },
  };
}
