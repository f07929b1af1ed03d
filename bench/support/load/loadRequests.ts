import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Figures } from '../measuring/measure.ts';

interface BenchRequest {
  method?: 'GET' | 'POST';
  /** Includes the query. */
  path: string;
  token?: string;
  /** A JSON text. */
  body?: string;
}

interface Load {
  origin: string;
  /** Sent in turn, repeatedly. */
  requests: BenchRequest[];
  connections: number;
  seconds: number;
}

const script = `
local requests, next = {}, 0
function init(arguments)
  for line in io.lines(arguments[1]) do
    local method, path, token, body = line:match("([^\\t]*)\\t([^\\t]*)\\t([^\\t]*)\\t([^\\t]*)")
    local headers = {}
    if token ~= "" then headers["Authorization"] = "Bearer " .. token end
    if body ~= "" then headers["Content-Type"] = "application/json" else body = nil end
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
end
function request()
  next = next % #requests + 1
  return requests[next]
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\n{"operations":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"failed":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`;

/** Runs wrk with a list of requests. @throws Error when one of them fails */
export async function loadRequests({ origin, requests, connections, seconds }: Load): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), 'gradeway-wrk-'));
  const [scriptFile, requestsFile] = [join(directory, 'load.lua'), join(directory, 'requests')];
  const lines = requests.map(({ method = 'GET', path, token = '', body = '' }) =>
    [method, path, token, body].join('\t'),
  );
  writeFileSync(scriptFile, script);
  writeFileSync(requestsFile, lines.map((line) => `${line}\n`).join(''));
  try {
    const limits = ['-c', `${connections}`, '-d', `${seconds}s`, '--timeout', '60s'];
    const options = ['-t', '1', ...limits, '-s', scriptFile];
    const { stdout } = await promisify(execFile)('wrk', [...options, origin, '--', requestsFile]);
    const { failed, ...figures } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Figures;
    if (failed !== 0) throw new Error(`requests failed: ${stdout}`);
    return figures;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
