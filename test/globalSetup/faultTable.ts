import { basename } from 'node:path';
import { clearRows, collectTable, tableFile } from '../faults/table/report.ts';

/** Prints the fault table at the end of the run. */
export default async function setup(): Promise<() => Promise<void>> {
  await clearRows();
  return async () => {
    const table = await collectTable();
    if (table)
      process.stdout.write(`\nThe fault table (also in .build/${basename(tableFile)}):\n\n${table}\n\n`);
  };
}
