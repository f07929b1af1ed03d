import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The exit code and the output of the check with a registry that knows these advisories, or answers with this status. */
async function audit(advisories: object, status = 200) {
  const registry = createServer((request, response) => {
    request.resume();
    const isAudit = request.url === '/-/npm/v1/security/advisories/bulk';
    response.writeHead(isAudit ? status : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isAudit ? advisories : {}));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  // npm caches what it has computed for an advisory.
  const cache = await mkdtemp(join(tmpdir(), 'gradeway-audit-'));
  onTestFinished(() => rm(cache, { recursive: true }));
  const registryUrl = `http://127.0.0.1:${port}/`;
  const env = { ...process.env, npm_config_registry: registryUrl, npm_config_cache: cache };
  const child = spawn(process.execPath, ['local/auditPackages.js'], { cwd: root, env });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  registry.close();
  return { code, output };
}

const advisory = (severity: string) => ({
  express: [{ id: 1, url: 'https://advisories.test/1', title: 'A flaw', severity, vulnerable_versions: '*' }],
});

test('the check passes without a known vulnerability', async () => {
  expect(await audit({})).toEqual({ code: 0, output: '' });
});

test('a vulnerability of high severity in a package in production fails and is named', async () => {
  const { code, output } = await audit(advisory('high'));
  expect(code).toBe(1);
  expect(output).toMatch(/^express .*: high: A flaw \(https:\/\/advisories\.test\/1\)\n$/);
});

test('a vulnerability of low severity does not fail', async () => {
  expect(await audit(advisory('low'))).toEqual({ code: 0, output: '' });
});

test('a registry without advisories is reported, and is neither a pass nor a failure', async () => {
  const { code, output } = await audit({}, 405);
  expect(code).toBe(3);
  expect(output).toContain('405 Method Not Allowed');
});
