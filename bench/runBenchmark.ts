// Runs one benchmark, prints its rows and records them. `table` only rewrites the table of the README.
import { describeRows, recordRows, writeTable } from './support/measuring/results.ts';
import { isReached, type Row } from './support/measuring/row.ts';

const [name = ''] = process.argv.slice(2);
if (name === 'table') writeTable();
else {
  const { run } = (await import(`./benchmarks/${name}.ts`)) as { run(): Promise<Row[]> };
  const rows = await run();
  console.log(describeRows(rows));
  recordRows(rows);
  process.exit(rows.every(isReached) ? 0 : 1);
}
