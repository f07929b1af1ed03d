import { callOperation } from '../createClient.ts';
import type { Operation } from '../http/operation.ts';
import { Refused } from './failures.ts';
import type { GlobalOptions, Installation } from './installation.ts';
import { print, printError, printJson } from './output.ts';
import { ProgressLine } from './progressLine.ts';

export interface FileReport {
  errors: { line: number; message: string }[];
  /** Null while there are errors. */
  token: string | null;
}

interface FileRequest {
  operation: Operation;
  /** Of the path. */
  parameters: Record<string, unknown>;
  file: string;
}

// Thousands of gradings take longer than any other request.
const timeoutMs = 600_000;

/**
 * Checks a file and then applies exactly what the check announced, unless it is a dry run. Either all lines are applied
 * or none.
 * @param describe says in words what the file changes
 * @throws Refused if the file has errors, after printing them
 */
export async function applyFile<Report extends FileReport>(
  { options }: Installation,
  { operation, parameters, file }: FileRequest,
  describe: (report: Report) => string,
  { dryRun = false, json }: GlobalOptions & { dryRun?: boolean },
): Promise<void> {
  const send = async (change: Record<string, unknown>) => {
    using line = new ProgressLine(file);
    const sent = { ...parameters, ...change, timeoutMs, onProgress: line.show };
    return ((await callOperation(options, operation, sent)) as { data: Report }).data;
  };
  const plan = await send({ dry_run: 1, body: { file: { path: file, type: 'text/csv' } } });
  if (plan.errors.length > 0) {
    if (json) printJson(plan);
    for (const { line, message } of plan.errors) printError(`${file}:${line}: ${message}`);
    throw new Refused('Nothing was changed.');
  }
  const applied = dryRun || plan.token === null ? plan : await send({ body: { token: plan.token } });
  if (json) printJson(applied);
  else print(dryRun ? `${describe(plan)} Nothing was changed: this was a dry run.` : describe(plan));
}
