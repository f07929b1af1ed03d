import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runFault } from '../faults/table/faultRow.ts';
import type { LoadParts } from '../faults/table/load.ts';
import { openSchool, type School } from '../faults/table/school.ts';
import { readCommands, runInShell } from './deployment/documentedCommands.ts';
import { takesTurns } from './deployment/turns.ts';
import { suspendAutoscalers } from './kubernetes/autoscalers.ts';
import { inspectCluster } from './kubernetes/clusterSystem.ts';
import { kubectl, rolledOut, secretValue } from './kubernetes/kubectl.ts';
import { mixedLoad } from './load/otherClients.ts';

const namespace = 'gradeway';

// Replaces steps that a test cannot perform: connecting to an external database, and waiting for ten minutes or an
// hour. Instead of waiting ten minutes, makes a pending signing key sign immediately.
const inPostgres = `kubectl -n ${namespace} exec postgres-0 -- psql -q -v ON_ERROR_STOP=1 -U postgres -d gradeway`;
const before = `
ADMIN_DATABASE_URL=
psql() { shift; ${inPostgres} "$@"; }
sleep() { ${inPostgres} -c 'UPDATE auth.signing_keys SET signs_from = now() WHERE signs_from > now()'; }`;

let school: School;
let load: Awaited<ReturnType<typeof mixedLoad>>;
let webhookId: number;
let resumeAutoscalers: (() => Promise<void>) | undefined;
takesTurns({ alone: ['gradeway'] });
beforeAll(async () => {
  resumeAutoscalers = await suspendAutoscalers(namespace);
  school = await openSchool(await inspectCluster(namespace, inject('baseUrl')));
  load = await mixedLoad(school);
  // Inactive, because nothing receives its messages. Its secret is stored anyway.
  const webhook = {
    // Checked when it is created: it must be public, and not a name, which a cluster without a resolver could not
    // look up.
    url: 'https://8.8.8.8/grades',
    event_types: ['quiz.submission.graded.v1'],
    is_active: false,
  };
  const { status, body } = await (await school.fixtures.asAdmin()).post('/api/v3/admin/webhooks', webhook);
  expect([status, body]).toMatchObject([201, {}]);
  webhookId = body.data.id;
});
afterAll(async () => {
  await (await school?.fixtures.asAdmin())?.delete(`/api/v3/admin/webhooks/${webhookId}`);
  await resumeAutoscalers?.();
});

const rotate = async (...sections: string[]) =>
  runInShell(await readCommands('docs/secrets.md', ['', ...sections]), { before });

/** Opens the signed URL of an answer sheet when it is a few seconds old. */
async function linkReader({ fixtures, system }: School): Promise<(shared: LoadParts) => Promise<void>> {
  const scene = await fixtures.newScene();
  await fixtures.submitQuiz(scene);
  const admin = await fixtures.asAdmin();
  return async ({ ledger }) => {
    const path = `/api/v3/quiz/pdf-quizzes/${scene.quizId}`;
    const quiz = await admin.get(path).catch(() => undefined);
    ledger.countAnswer(`GET ${path}`, quiz);
    const [link] = /https?:[^"]*signature=[^"]*/.exec(JSON.stringify(quiz?.body)) ?? [];
    await sleep(3_000);
    if (!link) return;
    const { pathname, search } = new URL(link);
    const file = await fetch(system.baseUrl + pathname + search).catch(() => undefined);
    await file?.arrayBuffer().catch(() => {});
    ledger.countAnswer(`GET ${pathname}`, file);
  };
}

// About twelve sequential updates.
test('no request fails while every Secret is replaced under load with the commands in docs/secrets.md', async () => {
  const secrets: [string, string][] = [
    ['quiz', 'SERVICE_KEYS'],
    ['courses', 'SERVICE_KEYS'],
    ['quiz', 'FILE_URL_SECRET'],
    ['courses', 'WEBHOOK_ENCRYPTION_SECRET'],
    ['auth', 'KEY_ENCRYPTION_SECRET'],
    ['quiz', 'DATABASE_URL'],
    ['quiz', 'EVENTS_URL'],
  ];
  const read = () => Promise.all(secrets.map(([name, key]) => secretValue(namespace, name, key)));
  const former = await read();
  await runFault(school, {
    on: 'Kubernetes',
    name: 'every Secret replaced',
    answers: ['200', '201'],
    load: { ...load, others: [...load.others, await linkReader(school)] },
    make: async () => {
      const timed = async (...sections: string[]) => {
        const startedAt = Date.now();
        const printed = await rotate(...sections);
        console.log(`${sections.join(', ')}: replaced in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
        return printed;
      };
      // Replaces secrets of different processes at the same time.
      const [, webhooks, keys] = await Promise.all([
        timed('File URLs')
          .then(() => timed('Database passwords'))
          .then(() => timed('RabbitMQ')),
        timed('Webhooks'),
        timed('Key encryption'),
      ]);
      expect(webhooks).toMatch(/encrypted the secrets of [1-9]\d* webhooks/);
      expect(keys).toMatch('created a new signing key');
      await timed('Service keys');
    },
  });
  const current = await read();
  for (const [index, value] of current.entries()) expect(value).not.toBe(former[index]);
  // Courses decrypts the secret of the webhook with only the new secret.
  const admin = await school.fixtures.asAdmin();
  const rotated = await admin.post(`/api/v3/admin/webhooks/${webhookId}/rotate-secret`);
  expect(rotated.status).toBe(200);
}, 900_000);

test('RabbitMQ and Postgres accept the new passwords after a restart, and nothing acknowledged is lost', async () => {
  await runFault(school, {
    on: 'Kubernetes',
    name: 'restart after new passwords',
    make: async () => {
      await kubectl('-n', namespace, 'rollout', 'restart', 'statefulset/rabbitmq', 'statefulset/postgres');
      await rolledOut(namespace, 'statefulset/rabbitmq');
      await rolledOut(namespace, 'statefulset/postgres');
    },
  });
});
