import type { Scrape } from './metrics.ts';

/** What prom-client tells of every Node process. */
export const ofNode = /^(nodejs|process)_/;

/** The table of docs/metrics.md: every metric of ours, as the processes tell it. */
export function metricsTable(scrapes: ReadonlyMap<string, Scrape>): string {
  const all = [...scrapes.values()].flatMap(({ metrics }) => [...metrics.keys()]);
  const names = [...new Set(all)].filter((name) => !ofNode.test(name)).sort();
  const rows = names.map((name) => {
    const tellers = [...scrapes].filter(([, { metrics }]) => metrics.has(name));
    const metrics = tellers.flatMap(([, { metrics }]) => metrics.get(name) ?? []);
    const labels = new Set(
      metrics.flatMap(({ samples }) => samples.flatMap((each) => Object.keys(each.labels))),
    );
    for (const everywhere of ['process', 'le']) labels.delete(everywhere);
    const who = tellers.length === scrapes.size ? 'all' : tellers.map(([process]) => process).join(', ');
    const quoted = [...labels].map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${metrics[0]?.type} | ${quoted} | ${who} | ${metrics[0]?.help} |`;
  });
  return ['| Name | Type | Labels | Process | Meaning |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

const between = /(<!-- metrics -->\n)([\s\S]*?)(\n<!-- \/metrics -->)/;

/** The table that a document has, and the document with another. */
export function readTable(document: string, wanted: string): { present: string; replaced: string } {
  const present = between.exec(document)?.[2];
  if (present === undefined) throw new Error('the document has no place for the metrics');
  return { present, replaced: document.replace(between, (_, before, __, after) => before + wanted + after) };
}
