import { kubectl } from './kubectl.ts';

/** A line that a process of Gradeway has logged, with the fields that tests read. */
export interface LogLine {
  service: string;
  msg: string;
  request_id?: string;
  trace_id?: string;
  status?: number;
}

/** The lines of all processes, of all their containers, found as docs/runbook.md says. */
export async function readLogs(namespace: string, since: string): Promise<LogLine[]> {
  const selection = ['-l', 'app.kubernetes.io/part-of=gradeway', '--all-containers'];
  const text = await kubectl('-n', namespace, 'logs', ...selection, `--since=${since}`, '--tail=-1');
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}
