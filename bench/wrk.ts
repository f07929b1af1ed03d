import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Load {
  address: string;
  authorization: string;
  connections: number;
  seconds: number;
}

/** Runs wrk, which uses little CPU itself, and returns the number of completed requests. */
export async function answeredRequests({
  address,
  authorization,
  connections,
  seconds,
}: Load): Promise<number> {
  const options = {
    '-t': '1',
    '-c': `${connections}`,
    '-d': `${seconds}s`,
    '-H': `Authorization: ${authorization}`,
  };
  const { stdout } = await promisify(execFile)('wrk', [...Object.entries(options).flat(), address]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`requests failed: ${stdout}`);
  return Number(/(\d+) requests in/.exec(stdout)?.[1]);
}
