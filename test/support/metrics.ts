import { startAdminServer } from '@gradeway/shared/http/adminServer';
import { Health } from '@gradeway/shared/process/health';
import { createHttpClient } from './httpClient.ts';

/** One line of a scrape: `name{labels} value`. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A declared metric with its samples. The names of a histogram's samples end in `_bucket`, `_sum` and `_count`. */
interface Metric {
  type: string;
  help: string;
  samples: Sample[];
}

/** The metrics of one process. */
export class Scrape {
  readonly metrics: ReadonlyMap<string, Metric>;

  constructor(text: string) {
    this.metrics = parse(text);
  }

  /** The samples with this name, such as `…_bucket`, and at least these labels. */
  find(name: string, labels: Record<string, string | number> = {}): Sample[] {
    const wanted = Object.entries(labels);
    return [...this.metrics.values()]
      .flatMap(({ samples }) => samples)
      .filter((sample) => sample.name === name)
      .filter((sample) => wanted.every(([label, value]) => sample.labels[label] === String(value)));
  }

  /** The sum of the values of those samples; undefined if there are none. */
  value(name: string, labels: Record<string, string | number> = {}): number | undefined {
    const samples = this.find(name, labels);
    return samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0);
  }
}

/** Scrapes the admin port of a process, as Prometheus does. */
export async function scrape(adminUrl: string): Promise<Scrape> {
  const { status, body } = await createHttpClient({ baseUrl: adminUrl }).get('/metrics');
  if (status !== 200) throw new Error(`the scrape returned ${status}`);
  return new Scrape(body.toString());
}

/** Scrapes the process of the test itself. */
export async function scrapeSelf(): Promise<Scrape> {
  const adminServer = await startAdminServer(new Health(), '127.0.0.1', 0);
  try {
    return await scrape(`http://127.0.0.1:${adminServer.port}`);
  } finally {
    await adminServer.close();
  }
}

const sampleShape = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const labelShape = /(?<label>[a-zA-Z_]\w*)="(?<value>(?:[^"\\]|\\.)*)"/g;

function parse(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  let current: Metric | undefined;
  for (const line of text.split('\n')) {
    const [mark, keyword, name = '', ...rest] = line.split(' ');
    if (mark === '#' && keyword === 'HELP') {
      current = { type: '', help: rest.join(' '), samples: [] };
      metrics.set(name, current);
    } else if (mark === '#' && keyword === 'TYPE' && current) current.type = rest.join(' ');
    else if (line !== '') current?.samples.push(parseSample(line));
  }
  return metrics;
}

function parseSample(line: string): Sample {
  const { name, labels, value } = sampleShape.exec(line)?.groups ?? {};
  if (name === undefined) throw new Error(`not a sample: ${line}`);
  const pairs = [...(labels ?? '').matchAll(labelShape)].map(({ groups }) => [groups?.label, groups?.value]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}
