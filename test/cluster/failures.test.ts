import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runFault } from '../faults/table/faultRow.ts';
import { openSchool, type School } from '../faults/table/school.ts';
import { takesTurns } from './deployment/turns.ts';
import { suspendAutoscalers } from './kubernetes/autoscalers.ts';
import { inspectCluster } from './kubernetes/clusterSystem.ts';
import { evaluateInProcess } from './kubernetes/evaluateInProcess.ts';
import { kubectl, podsOf, replaced, rolledOut, waitForCluster } from './kubernetes/kubectl.ts';
import { readPod } from './kubernetes/readApi.ts';
import { mixedLoad } from './load/otherClients.ts';

const on = 'Kubernetes';
const namespace = 'gradeway';

let school: School;
let load: Awaited<ReturnType<typeof mixedLoad>>;
let resumeAutoscalers: (() => Promise<void>) | undefined;
takesTurns({ alone: ['gradeway'] });
beforeAll(async () => {
  resumeAutoscalers = await suspendAutoscalers(namespace);
  school = await openSchool(await inspectCluster(namespace, inject('baseUrl')));
  load = await mixedLoad(school);
});
afterAll(() => resumeAutoscalers?.());

const inNamespace = (...parameters: string[]) => kubectl('-n', namespace, ...parameters);
const complete = (name: string) => rolledOut(namespace, `deployment/${name}`);

async function onlyPodOf(name: string): Promise<string> {
  const pods = await podsOf(namespace, name);
  expect(pods).toHaveLength(1);
  return pods[0] ?? '';
}

interface ContainerEnd {
  reason: string;
  exitCode: number;
}

/**
 * Calls `make`, which ends the container of a pod, waits until the kubelet has started it again, and returns why it
 * ended. Once a minute the kubelet deletes containers that have ended, including one that has just ended if its
 * successor is created at that moment. The reason is then lost, so `make` is called again.
 */
async function restartAfter(pod: string, make: () => Promise<void>): Promise<ContainerEnd> {
  const read = async () => (await readPod(namespace, pod)).status.containerStatuses[0];
  for (;;) {
    const { restartCount: before } = await read();
    await make();
    const { lastState } = await waitForCluster(async () => {
      const container = await read();
      return container.restartCount > before && container.ready && container;
    }, 240_000);
    if (lastState.terminated) return lastState.terminated;
  }
}

/** Waits until the kubelet has evicted a pod, and returns why. */
const evicted = (pod: string): Promise<string> =>
  waitForCluster(async () => {
    const { status } = await readPod(namespace, pod);
    return status.reason === 'Evicted' && status.message;
  }, 240_000);

// All at once, because a process that hangs is noticed after a minute of failed probes, and the kubelet measures
// volumes once a minute. A hanging process gets the grace period of the probe, not that of the pod, which gives uploads
// five minutes.
test('nothing acknowledged is lost when homework hangs, courses exceeds its memory limit, quiz is killed and auth evicted', async () => {
  const [homework, courses, quiz, auth] = [
    await onlyPodOf('homework'),
    await onlyPodOf('courses'),
    await onlyPodOf('quiz'),
    await onlyPodOf('auth'),
  ];
  await runFault(school, {
    on,
    name: 'homework hangs, courses out of memory, quiz killed, auth evicted',
    load,
    make: async () => {
      const fill = 'head -c 600M /dev/zero > /tmp/ballast';
      await inNamespace('exec', auth, '-c', 'main', '--', 'sh', '-c', fill);
      const hungAt = Date.now();
      const hang = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
      const leak = 'globalThis.leak = []; for (;;) leak.push(Buffer.alloc(16 * 1024 * 1024, 1))';
      const [ofHomework, ofCourses] = await Promise.all([
        restartAfter(homework, () => evaluateInProcess(namespace, homework, hang)),
        restartAfter(courses, () => evaluateInProcess(namespace, courses, leak)),
        inNamespace('delete', 'pod', quiz, '--grace-period=0', '--force').then(() => complete('quiz')),
      ]);
      expect(ofCourses).toMatchObject({ reason: 'OOMKilled', exitCode: 137 });
      expect(ofHomework).toMatchObject({ exitCode: 137 });
      console.log(
        `homework was restarted and ready ${Math.round((Date.now() - hungAt) / 1_000)} s after it hung`,
      );
      expect(await evicted(auth)).toMatch('exceeds the limit "512Mi"');
      await inNamespace('delete', 'pod', auth);
      await waitForCluster(async () => (await podsOf(namespace, 'auth')).length === 1);
      await complete('auth');
    },
  });
});

test('nothing acknowledged is lost when the Postgres pod is deleted', async () => {
  await runFault(school, {
    on,
    name: 'Postgres pod deleted',
    load,
    make: async () => {
      await inNamespace('delete', 'pod', 'postgres-0');
      await rolledOut(namespace, 'statefulset/postgres');
    },
  });
});

// The volumes of a test cluster may be folders without a limit. Therefore the volume of homework is replaced by an
// in-memory volume of 24 MB.
test('the full volume of homework refuses uploads, and nothing refused is left behind', async () => {
  const volume = {
    name: 'files',
    persistentVolumeClaim: null,
    emptyDir: { medium: 'Memory', sizeLimit: '24Mi' },
  };
  const patch = { spec: { template: { spec: { volumes: [volume] } } } };
  const store = '/var/lib/gradeway';
  const inStore = async (command: string) =>
    inNamespace('exec', await onlyPodOf('homework'), '-c', 'main', '--', 'sh', '-c', command);
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-volume-'));
  const exec = async (options: string) =>
    `kubectl -n ${namespace} exec ${options} ${await onlyPodOf('homework')} -c main -- tar -C ${store}`;
  const shell = (command: string) => promisify(execFile)('bash', ['-c', command]);
  try {
    await inNamespace('patch', 'deployment', 'homework', '-p', JSON.stringify(patch));
    await replaced(namespace, 'homework');
    const { answers } = await runFault(school, {
      on,
      name: 'volume of homework full',
      // Excludes the archives, whose files are on the other volume.
      load: { workers: 4 },
      make: async () => {
        await inStore(`head -c 30M /dev/zero > ${store}/ballast || true`);
        await sleep(8_000);
        await inStore(`rm ${store}/ballast`);
      },
      afterwards: async () => void (await shell(`${await exec('')} -cf - kept >${directory}/during.tar`)),
    });
    expect(answers['503']).toBeGreaterThan(0);
  } finally {
    await inNamespace('rollout', 'undo', 'deployment/homework');
    await complete('homework');
    // Files that were submitted in the meantime belong on the permanent volume.
    await shell(`[ ! -f ${directory}/during.tar ] || ${await exec('-i')} -xf - <${directory}/during.tar`);
    await rm(directory, { recursive: true });
  }
});
