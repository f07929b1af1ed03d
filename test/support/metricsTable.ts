import { processNames } from '@gradeway/local/processes';
import type { Scrape } from './metrics.ts';

/** Whether prom-client collects a metric from every Node process. */
export const isNodeMetric = (name: string): boolean => /^(nodejs|process)_/.test(name);

/** The table of docs/metrics.md: every metric of Gradeway, as scraped from the processes and the metrics of the backup. */
export function metricsTable(scrapes: ReadonlyMap<string, Scrape>): string {
  const all = [...scrapes.values()].flatMap(({ metrics }) => [...metrics.keys()]);
  const names = [...new Set(all)].filter((name) => !isNodeMetric(name)).sort();
  const rows = names.map((name) => {
    const exporters = [...scrapes].filter(([, { metrics }]) => metrics.has(name));
    const metrics = exporters.flatMap(([, { metrics }]) => metrics.get(name) ?? []);
    const labels = new Set(
      metrics.flatMap(({ samples }) => samples.flatMap((each) => Object.keys(each.labels))),
    );
    for (const implicit of ['process', 'le']) labels.delete(implicit);
    const missing = processNames.filter((process) => !scrapes.get(process)?.metrics.has(name));
    const processes = missing.length === 0 ? 'all' : exporters.map(([process]) => process).join(', ');
    const quoted = [...labels].map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${metrics[0]?.type} | ${quoted} | ${processes} | ${metrics[0]?.help} |`;
  });
  return ['| Name | Type | Labels | Process | Meaning |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

const tableShape = /(<!-- metrics -->\n)([\s\S]*?)(\n<!-- \/metrics -->)/;

/** The table in a document, and the document with its table replaced. */
export function readTable(document: string, wanted: string): { present: string; replaced: string } {
  const present = tableShape.exec(document)?.[2];
  if (present === undefined) throw new Error('the document has no <!-- metrics --> section');
  const replaced = document.replace(tableShape, (_, before, __, after) => before + wanted + after);
  return { present, replaced };
}
