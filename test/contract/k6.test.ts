import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPdfChecker, createPdfSlots } from '@gradeway/shared/files/pdfChecker';
import { createLogger } from '@gradeway/shared/process/logger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  counters,
  deadlineOptions,
  normalDayOptions,
  requests,
  uploadsOfDay,
} from '../../bench/k6/options.ts';
import { makePdf } from '../../bench/k6/pdf.ts';
import { readSettings } from '../../bench/k6/settings.ts';
import { startSlowNetwork } from '../../bench/k6/slowNetwork.ts';
import { createRouteMatcher } from '../../gateway/src/routing/matchRoute.ts';
import { routeTable } from '../../gateway/src/routing/routeTable.ts';

// The parts of bench/k6 that need no k6. The scripts themselves are run by hand (bench/k6/README.md).

const admin = { ADMIN_EMAIL: 'admin@test.example', ADMIN_PASSWORD: 'a password' };
const folder = new URL('../../bench/k6/', import.meta.url);

describe('the settings of the load tests', () => {
  test('the settings of the load tests have defaults for everything but the administrator', () => {
    expect(readSettings(admin)).toMatchObject({
      gatewayUrl: 'http://127.0.0.1:8080',
      students: 100,
      graders: 5,
    });
    expect(() => readSettings({})).toThrow('ADMIN_EMAIL');
  });

  test.each([
    ['STUDENTS', '0'],
    ['STUDENTS', 'many'],
    ['FILE_BYTES', '10'],
    ['WINDOW_SECONDS', '1.5'],
  ])('the settings of the load tests reject %s=%s', (name, value) => {
    expect(() => readSettings({ ...admin, [name]: value })).toThrow(name);
  });
});

describe('the load tests', () => {
  const match = createRouteMatcher(routeTable);

  test.each(Object.entries(requests))('%s is a route of the gateway', (_name, [method, path]) => {
    const { route } = match(method, path.replace(/:\w+/g, '1'));
    expect(route).toBeDefined();
  });

  const settings = readSettings({ ...admin, STUDENTS: '1000', DURATION_SECONDS: '600' });

  test.each([
    ['deadline.ts', deadlineOptions(settings)],
    ['normalDay.ts', normalDayOptions(settings)],
  ])(
    '%s exports the functions of its scenarios, and has thresholds only for metrics that it writes',
    async (file, options) => {
      const script = await readFile(new URL(file, folder), 'utf8');
      for (const { exec } of Object.values(options.scenarios))
        expect(script).toContain(`export function ${exec}(`);
      const names = await metricNames();
      for (const threshold of Object.keys(options.thresholds)) {
        const [, metric = '', request] = /^(\w+)(?:\{name:(\w+)\})?$/.exec(threshold) ?? [];
        expect(names).toContain(metric);
        if (request !== undefined) expect(Object.keys(requests)).toContain(request);
      }
    },
  );

  test('a normal day of a thousand students matches docs/capacity.md', () => {
    const { scenarios } = normalDayOptions(settings);
    const perSecond = ({ rate, timeUnit }: (typeof scenarios)['pages']) =>
      rate / Number.parseInt(timeUnit, 10);
    expect(perSecond(scenarios.pages)).toBe(10);
    for (const other of [scenarios.logins, scenarios.uploads, scenarios.gradings])
      expect(perSecond(other)).toBe(0.2);
    expect(uploadsOfDay(settings)).toBe(121);
  });
});

// The k6 metrics that are used, and the metrics that a script creates.
async function metricNames(): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
  const source = (await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')))).join('\n');
  const created = Object.entries(counters).filter(([key]) => source.includes(`new Counter(counters.${key})`));
  return ['http_req_duration', 'http_reqs', 'dropped_iterations', ...created.map(([, name]) => name)];
}

describe('a PDF of the load tests', () => {
  const checker = createPdfChecker({
    log: createLogger('test', 'silent'),
    cpuSeconds: 8,
    memoryMb: 192,
    slots: createPdfSlots(1),
  });
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gradeway-k6-'));
  });
  afterAll(async () => {
    await checker.close();
    await rm(directory, { recursive: true });
  });

  test.each([1_000, 1_001, 9_999, 10_000, 99_990, 100_003, 1_000_000])(
    'a PDF of the load tests of %i bytes is valid',
    async (bytes) => {
      const content = makePdf(bytes);
      expect(content).toHaveLength(bytes);
      const path = join(directory, `${bytes}`);
      await writeFile(path, content, 'latin1');
      expect(await checker.check(path, 1)).toBe('valid');
      // PDF readers repair a wrong table; this one needs no repair.
      expect(content.slice(Number(/startxref\n(\d+)/.exec(content)?.[1])).startsWith('xref\n')).toBe(true);
    },
  );
});

describe('the network of slow phones', () => {
  const body = 'x'.repeat(300_000);
  const gateway = createServer(async (req, res) => {
    const length = await lengthOf(req).catch(() => -1);
    res.end(`${length}`);
  });
  let target: URL;
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      gateway.listen(0, '127.0.0.1', resolve);
    });
    target = new URL(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`);
  });
  afterAll(() => void gateway.close());

  const post = async (breaking: number) => {
    const options = { target, port: 0, rate: 10_000_000, breaking, breakWithin: 200_000, random: () => 0.5 };
    const network = await startSlowNetwork(options);
    const { port } = network.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body,
      headers: { connection: 'close' },
    })
      .then((response) => response.text())
      .catch(() => 'no answer');
    network.close();
    return answer;
  };

  test('the network of slow phones forwards a whole request and its response', async () => {
    expect(await post(0)).toBe('300000');
  });

  test('the network of slow phones breaks a connection in the middle of a body', async () => {
    expect(await post(1)).toBe('no answer');
  });
});

async function lengthOf(req: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of req) length += (chunk as Buffer).length;
  return length;
}
