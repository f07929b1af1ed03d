import type { Scrape } from './metrics.ts';
import { ofNode } from './metricsTable.ts';
import { Query, type Selector } from './promql.ts';

/** What Prometheus adds to each sample of a target. */
const targetLabels = ['job', 'instance'];

/** Labels whose values come with use: no run of a test has seen all of them. */
const open = new Set([...targetLabels, 'http_route', 'http_response_status_code']);

/** The values of each label of one name, over all processes. */
type Labels = Map<string, Set<string>>;

/** What there is to ask for: everything that the processes tell, and what the recording rules make of it. */
export class Monitoring {
  readonly #scrapes: ReadonlyMap<string, Scrape>;
  readonly #known = new Map<string, Labels>([['up', withTargetLabels(new Map())]]);

  constructor(scrapes: ReadonlyMap<string, Scrape>, rules: { record?: string; expr: string }[]) {
    this.#scrapes = scrapes;
    for (const { metrics } of scrapes.values())
      for (const { samples } of metrics.values()) for (const sample of samples) this.#learn(sample);
    for (const { record, expr } of rules) {
      if (record === undefined) continue;
      const labels = [...new Query(expr).labels(this.labelsOf)];
      this.#known.set(record, new Map(labels.map((label) => [label, new Set()])));
    }
  }

  #learn({ name, labels }: { name: string; labels: Record<string, string> }): void {
    const known = this.#known.get(name) ?? withTargetLabels(new Map());
    this.#known.set(name, known);
    for (const [label, value] of Object.entries(labels))
      known.set(label, (known.get(label) ?? new Set()).add(value));
  }

  /** @throws Error for a name that nobody tells */
  readonly labelsOf = (metric: string): Iterable<string> => {
    const known = this.#known.get(metric);
    if (!known) throw new Error(`there is no metric ${metric}`);
    return known.keys();
  };

  /** Metrics of ours that are declared and have not been measured by any process. */
  unmeasured(): string[] {
    const declared = [...this.#scrapes.values()].flatMap(({ metrics }) => [...metrics.keys()]);
    const told = (name: string) =>
      [...this.#scrapes.values()].some(({ metrics }) => metrics.get(name)?.samples.length);
    return [...new Set(declared)].filter((name) => !ofNode.test(name) && !told(name));
  }

  /** What a query asks for and nobody tells: names, labels, and values that no sample has. */
  strangersIn(query: Query): string[] {
    return query.selectors().flatMap((selector) => this.#strangersIn(selector));
  }

  #strangersIn({ metric, matchers }: Selector): string[] {
    const known = this.#known.get(metric);
    if (!known) return [metric];
    return matchers.flatMap(({ label, operator, value }) => {
      const values = known.get(label);
      if (!values) return [`${metric}{${label}}`];
      if (open.has(label)) return [];
      const matches = operator.endsWith('~')
        ? [...values].some((each) => new RegExp(`^(?:${value})$`).test(each))
        : values.has(value);
      return matches ? [] : [`${metric}{${label}${operator}"${value}"}`];
    });
  }
}

function withTargetLabels(labels: Labels): Labels {
  for (const label of targetLabels) labels.set(label, new Set());
  return labels;
}
