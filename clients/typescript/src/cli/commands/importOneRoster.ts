import type { Client } from '../../clientTypes.ts';
import { Refused } from '../failures.ts';
import type { GlobalOptions } from '../installation.ts';
import { counted, print, printError, printJson } from '../output.ts';
import { ProgressLine } from '../progressLine.ts';

// Tens of thousands of accounts take minutes.
const timeoutMs = 1_800_000;
const changing = ['create', 'update', 'delete'];

/**
 * Checks a OneRoster archive and imports exactly what the check announced: all of it, or nothing.
 * @throws Refused if the archive has invalid rows, after printing them
 */
export async function importOneRoster(
  client: Client,
  file: string,
  { dryRun = false, json }: GlobalOptions & { dryRun?: boolean },
): Promise<void> {
  using line = new ProgressLine(file);
  const { data: plan } = await client.importArchive({
    dry_run: '1',
    body: { path: file, type: 'application/zip' },
    timeoutMs,
    onProgress: line.show,
  });
  const wrong = plan.rows.filter(({ action }) => action === 'error');
  if (plan.token === null) {
    if (json) printJson(plan);
    for (const row of wrong) printError(`${row.file}:${row.line}: ${row.messages.join(' ')}`);
    throw new Refused('Nothing was changed.');
  }
  const changes = plan.rows.filter(({ action }) => changing.includes(action)).length;
  const isNothingToDo = dryRun || changes === 0;
  const body = { token: plan.token };
  const { data: result } = isNothingToDo ? { data: plan } : await client.importArchive({ body, timeoutMs });
  if (json) return printJson(result);
  print(`${counted(changes, 'change')}.${dryRun ? ' Nothing was changed: this was a dry run.' : ''}`);
}
