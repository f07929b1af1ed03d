import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Fixtures, unique } from '@gradeway/test/fixtures';
import { type HttpClient, pdf } from '@gradeway/test/httpClient';
import { checkResponse } from '@gradeway/test/openApi';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processes } from '../manifests/processes.ts';
import { describeBucketBackups } from './bucketBackups.ts';
import {
  deployProduction,
  type Production,
  productionNamespace,
  removeProduction,
} from './deployment/deployProduction.ts';
import { externalNamespace } from './deployment/externalSystems.ts';
import { gatewayHost } from './deployment/gatewayHost.ts';
import { takesTurns } from './deployment/turns.ts';
import {
  kubectl,
  kubectlInput,
  kubectlJson,
  namespacesRemoved,
  podsOf,
  rolledOut,
} from './kubernetes/kubectl.ts';

let production: Production;
let fixtures: Fixtures;

takesTurns({ alone: ['production'] });
beforeAll(async () => {
  await removeProduction();
  await namespacesRemoved();
  production = await deployProduction();
  console.log(`production is ready after ${production.readySeconds} s`);
  fixtures = new Fixtures(production, {
    check: (method, { pathname }, answer) => checkResponse({ method, path: pathname, ...answer }),
  });
}, 600_000);
afterAll(async () => {
  production?.stopForwarding();
  if (!process.env.KEEP) await removeProduction();
});

const inProduction = (...parameters: string[]) => kubectlJson('-n', productionNamespace, ...parameters);
const podNames = async () =>
  (await Promise.all(processes.map((name) => podsOf(productionNamespace, name)))).flat();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('two replicas of each process are ready, and only migrate was ever restarted', async () => {
  const { items } = await inProduction('get', 'pods');
  expect(items).toHaveLength(2 * processes.length);
  for (const { metadata, status } of items)
    for (const { ready, restartCount } of status.containerStatuses)
      expect({ pod: metadata.name, ready, restartCount }).toMatchObject({ ready: true, restartCount: 0 });
  for (const name of processes) expect(await podsOf(productionNamespace, name)).toHaveLength(2);
});

test('the namespace enforces the Pod Security Standard "restricted"', async () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'unrestricted', namespace: productionNamespace },
    spec: { containers: [{ name: 'main', image: 'gradeway/gateway:1.0.0' }] },
  };
  await expect(kubectlInput([pod], 'create', '--dry-run=server')).rejects.toThrow(
    'violates PodSecurity "restricted:',
  );
});

test('a second apply changes nothing', async () => {
  const before = await podNames();
  const manifests = await production.manifests();
  expect(await kubectlInput(manifests, 'diff', '--concurrency=8')).toBe('');
  await kubectlInput(manifests, 'apply');
  // An autoscaler may have added some.
  expect(await podNames()).toEqual(expect.arrayContaining(before));
});

test('an upload of 25 MB arrives in the bucket, and a grader downloads the same bytes', async () => {
  const scene = await fixtures.newScene();
  const file = await pdf('scan.pdf', { bytes: 25_000_000 });
  const digest = sha256(Buffer.from(await file.arrayBuffer()));
  const { status, body } = await fixtures.submitQuiz(scene, { file });
  expect({ status, body }).toMatchObject({ status: 200 });

  const [submission] = await fixtures.quizSubmissions(scene.quizId);
  const { body: bytes } = await fixtures.callAs().get(submission.pdf_answer_url);
  expect(sha256(bytes)).toBe(digest);
  const find = 'find /data/gradeway-files -size +20M -exec sha256sum {} +';
  const stored = await kubectl('-n', externalNamespace, 'exec', 'deploy/bucket', '--', 'sh', '-c', find);
  expect(stored).toMatch(new RegExp(`^${digest} .*/quiz/`, 'm'));
});

test('the header device_token arrives: the device of a login is listed', async () => {
  const account = await fixtures.newAccount();
  const token = unique();
  await fixtures.logIn(account.email, account.password, { device_token: token, device_type: 'app' });
  const admin = await fixtures.asAdmin();
  const { body } = await admin.get(`/api/v3/admin/users/${account.id}/devices`);
  expect(body.data).toMatchObject([{ device_type: 'app' }]);
});

test('a body that is too large gets 413 from Gradeway, not from Traefik', async () => {
  const tooLarge = { status: 413, body: { message: 'Payload Too Large', errors: null } };
  const scene = await fixtures.newScene();
  const file = await pdf('large.pdf', { bytes: 27 * 1024 * 1024 });
  // Gradeway closes the connection afterwards, perhaps while the next request is sent on it.
  const lastRequest = { connection: 'close' };
  expect(await fixtures.submitQuiz(scene, { file }, lastRequest)).toMatchObject(tooLarge);
  expect(await fixtures.logIn('x'.repeat(2_000_000), 'x', lastRequest)).toMatchObject(tooLarge);
  expect(await fixtures.submitQuiz(scene)).toMatchObject({ status: 200 });
});

test('the audit log has the address that Traefik saw, whatever X-Forwarded-For the client sends', async () => {
  const admin = await fixtures.asAdmin();
  const courseId = await fixtures.newCourse();
  const { address, requestId } = await renameFromAnotherPod(courseId, admin);
  const entry = await waitFor(async () => {
    const { body } = await admin.get('/api/v3/admin/audit?action=course.updated&per_page=100');
    return body.data.find((each: { request_id: string }) => each.request_id === requestId);
  });
  expect(entry.address).toBe(address);
});

// Through a forwarded port, Traefik sees 127.0.0.1, so the request is sent from the pod of the bucket instead, which
// has Node.js.
async function renameFromAnotherPod(courseId: number, { token }: HttpClient) {
  const traefik = (await kubectlJson('-n', 'traefik', 'get', 'pods', '-l', 'pod-template-hash')).items.at(-1);
  const request = {
    host: traefik.status.podIP,
    port: 443,
    servername: gatewayHost,
    rejectUnauthorized: false,
    method: 'PATCH',
    path: `/api/v3/admin/courses/${courseId}`,
    headers: {
      host: gatewayHost,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': '203.0.113.9',
      'x-real-ip': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      connection: 'close',
    },
  };
  const script = `require('node:https').request(${JSON.stringify(request)}, (res) => console.log(JSON.stringify({
    status: res.statusCode, requestId: res.headers['x-request-id'], address: res.socket.localAddress }))).end('{"title":"x"}')`;
  const output = await kubectl('-n', externalNamespace, 'exec', 'deploy/bucket', '--', 'node', '-e', script);
  const { status, ...found } = JSON.parse(output);
  expect(status).toBe(200);
  return found as { requestId: string; address: string };
}

test('applying one service alone from its folder, with another tag, changes only that service', async () => {
  const isQuiz = (name: string) => name.startsWith('quiz-');
  const before = await podNames();
  await kubectlInput(await production.manifests('quizUpdate'), 'apply');
  await rolledOut(productionNamespace, 'deployment/quiz');
  const after = await podNames();
  expect(after).toEqual(expect.arrayContaining(before.filter((name) => !isQuiz(name))));
  expect(after.filter((name) => before.includes(name) && isQuiz(name))).toEqual([]);
  for (const name of after.filter(isQuiz)) {
    const { spec } = await inProduction('get', 'pod', name);
    expect(spec.containers[0].image).toBe('gradeway/quiz:next');
  }
});

describeBucketBackups(() => production);

test('the black-box suite passes through the Gateway', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const parameters = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'blackbox', '--reporter=default'];
  const { stdout } = await promisify(execFile)(process.execPath, parameters, {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    env: {
      ...process.env,
      NO_COLOR: '1',
      NODE_OPTIONS: `--import=${new URL('deployment/resolveGatewayHost.js', import.meta.url).href}`,
      NODE_EXTRA_CA_CERTS: production.certificate,
      BASE_URL: production.baseUrl,
      ADMIN_EMAIL: production.adminEmail,
      ADMIN_PASSWORD: production.adminPassword,
    },
  }).catch((error) => {
    const failures = String(error.stdout)
      .split('\n')
      .filter((line) => /×|FAIL|Error|Tests /.test(line));
    throw new Error(
      `the black-box suite failed:\n${failures.slice(0, 80).join('\n')}\n${error.stderr.slice(0, 6_000)}`,
    );
  });
  console.log(`black-box suite: ${/^ +Tests +(.*)$/m.exec(stdout)?.[1]}`);
  expect(stdout).toMatch(/^ +Tests +\d{3,} passed/m);
}, 900_000);
