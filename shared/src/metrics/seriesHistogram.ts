type LabelValue = string | number;

/** The observations of one combination of label values. */
interface Series {
  labels: Record<string, LabelValue>;
  /** Number of observations per bucket, not cumulative: each counts only in the smallest bucket that contains it. */
  counts: number[];
  sum: number;
  count: number;
}

interface Sample {
  metricName: string;
  labels: Record<string, LabelValue>;
  value: number;
}

type Level = Map<LabelValue, Level | Series>;

/**
 * A histogram for values observed on every request. prom-client's histogram validates, sorts and joins the labels of
 * each observation, which takes longer than forwarding a header. Here an observation takes one lookup per label and
 * three additions.
 */
export class SeriesHistogram {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #buckets: readonly number[];
  readonly #labelNames: readonly string[];
  readonly #series: Series[] = [];
  readonly #root: Level = new Map();

  constructor(name: string, help: string, buckets: readonly number[], labelNames: readonly string[]) {
    this.name = name;
    this.help = help;
    this.#buckets = buckets;
    this.#labelNames = labelNames;
  }

  /** Observes a value. `labelValues` are in the order of the label names. */
  observe(labelValues: readonly LabelValue[], value: number): void {
    const series = this.#find(labelValues);
    const buckets = this.#buckets;
    let bucket = 0;
    while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket += 1;
    if (bucket < buckets.length) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += value;
    series.count += 1;
  }

  #find(labelValues: readonly LabelValue[]): Series {
    let found: Level | Series | undefined = this.#root;
    for (const value of labelValues) found = (found as Level | undefined)?.get(value);
    return (found as Series | undefined) ?? this.#add(labelValues);
  }

  #add(labelValues: readonly LabelValue[]): Series {
    const labels = Object.fromEntries(
      this.#labelNames.map((name, index) => [name, labelValues[index] ?? '']),
    );
    const series = { labels, counts: this.#buckets.map(() => 0), sum: 0, count: 0 };
    this.#series.push(series);
    let level = this.#root;
    for (const value of labelValues.slice(0, -1)) {
      const next = (level.get(value) as Level | undefined) ?? new Map();
      level.set(value, next);
      level = next;
    }
    level.set(labelValues.at(-1) ?? '', series);
    return series;
  }

  /** Returns the samples. prom-client's registry calls it on each scrape. */
  async get() {
    const { name, help, type } = this;
    return { name, help, type, values: this.#series.flatMap((series) => this.#samplesOf(series)) };
  }

  #samplesOf({ labels, counts, sum, count }: Series): Sample[] {
    const { name } = this;
    let atMost = 0;
    const buckets = this.#buckets.map((le, index) => {
      atMost += counts[index] ?? 0;
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: atMost };
    });
    return [
      ...buckets,
      { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
