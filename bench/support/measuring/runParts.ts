import type { Row } from './row.ts';

/** Runs the parts of a benchmark in sequence: those that an environment variable names, or all. */
export async function runParts<Context>(
  variable: string,
  parts: Record<string, (context: Context) => Promise<Row[]>>,
  context: Context,
): Promise<Row[]> {
  const wanted = process.env[variable]?.split(',');
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(parts))
    if (!wanted || wanted.includes(name)) rows.push(...(await measure(context)));
  return rows;
}
