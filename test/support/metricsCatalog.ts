import type { Scrape } from './metrics.ts';
import { isNodeMetric } from './metricsTable.ts';
import { type Query, readQuery, type Selector } from './promql.ts';

/** The labels that Prometheus adds to every sample of a target. */
const targetLabels = ['job', 'instance'];

/** Labels with values that depend on use: no test run sees all of them. */
const openLabels = new Set([...targetLabels, 'http_route', 'http_response_status_code']);

/** The values of each label of one metric, over all processes. */
type Labels = Map<string, Set<string>>;

/** The metrics, labels and values that queries can use: from the processes and from recording rules. */
export class MetricsCatalog {
  readonly #scrapes: ReadonlyMap<string, Scrape>;
  readonly #metrics = new Map<string, Labels>([['up', withTargetLabels(new Map())]]);

  constructor(scrapes: ReadonlyMap<string, Scrape>, rules: { record?: string; expr: string }[]) {
    this.#scrapes = scrapes;
    for (const { metrics } of scrapes.values())
      for (const { samples } of metrics.values()) for (const sample of samples) this.#add(sample);
    for (const { record, expr } of rules) {
      if (record === undefined) continue;
      const labels = [...this.resultLabels(readQuery(expr))];
      this.#metrics.set(record, new Map(labels.map((label) => [label, new Set()])));
    }
  }

  #add({ name, labels }: { name: string; labels: Record<string, string> }): void {
    const known = this.#metrics.get(name) ?? withTargetLabels(new Map());
    this.#metrics.set(name, known);
    for (const [label, value] of Object.entries(labels))
      known.set(label, (known.get(label) ?? new Set()).add(value));
  }

  labelsOf(metric: string): string[] {
    return [...(this.#metrics.get(metric)?.keys() ?? [])];
  }

  /** The labels that the result of a query can have. */
  resultLabels({ selectors, groupingLabels, isAggregated }: Query): Set<string> {
    return new Set(isAggregated ? groupingLabels : selectors.flatMap(({ metric }) => this.labelsOf(metric)));
  }

  /** The metrics that are declared but not measured by any process. */
  unmeasured(): string[] {
    const all = [...this.#scrapes.values()].flatMap(({ metrics }) => [...metrics.entries()]);
    const measured = new Set(all.filter(([, { samples }]) => samples.length > 0).map(([name]) => name));
    return [...new Set(all.map(([name]) => name))].filter(
      (name) => !isNodeMetric(name) && !measured.has(name),
    );
  }

  /** The unknown names in a query: metrics, labels, label values, and a missing `le` of a histogram. */
  problemsIn(query: Query): string[] {
    const { selectors, groupingLabels, functions } = query;
    const labels = new Set(selectors.flatMap(({ metric }) => this.labelsOf(metric)));
    const isWithoutLe = functions.includes('histogram_quantile') && !this.resultLabels(query).has('le');
    return [
      ...selectors.flatMap((selector) => this.#problemsIn(selector)),
      ...groupingLabels.filter((label) => !labels.has(label)).map((label) => `by or on (${label})`),
      ...(isWithoutLe ? ['histogram_quantile without le'] : []),
    ];
  }

  #problemsIn({ metric, matchers }: Selector): string[] {
    const labels = this.#metrics.get(metric);
    if (!labels) return [metric];
    return matchers.flatMap(({ label, operator, value }) => {
      const values = labels.get(label);
      if (!values) return [`${metric}{${label}}`];
      if (openLabels.has(label)) return [];
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
