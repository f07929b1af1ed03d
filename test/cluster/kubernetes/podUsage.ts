import { setTimeout as sleep } from 'node:timers/promises';
import { readApi } from './readApi.ts';

/** The usage of one program's containers in an interval, as measured by the kubelet. */
export interface Usage {
  name: string;
  /** The maximum number of its pods at any one time. */
  pods: number;
  /** Mean of all its pods combined, in thousandths of a core. */
  milliCpu: number;
  /** The maximum usage of one pod between two measurements of the kubelet. */
  peakMilliCpu: number;
  /** The largest working set of one pod, to compare with the memory limit. */
  peakMebibytes: number;
}

interface Sample {
  at: number;
  cpuNanoseconds: number;
  bytes: number;
}

// The kubelet measures every ten seconds or so.
const intervalMs = 5_000;

/** Records the usage of each program in a namespace until the returned function is called. */
export async function recordUsage(namespace: string): Promise<() => Promise<Usage[]>> {
  const samples = new Map<string, Sample[]>();
  const podCounts = new Map<string, number>();
  const sample = async () => {
    const found = await sampleOnce(namespace);
    for (const [pod, each] of found) {
      const earlier = samples.get(pod) ?? [];
      if (earlier.at(-1)?.at !== each.at) samples.set(pod, [...earlier, each]);
    }
    for (const [name, pods] of byProgram(found.keys()))
      podCounts.set(name, Math.max(podCounts.get(name) ?? 0, pods.length));
  };
  let isRecording = true;
  await sample();
  const recording = (async () => {
    while (isRecording) {
      await sleep(intervalMs);
      await sample();
    }
  })();
  return async () => {
    isRecording = false;
    await recording;
    const usage = [...byProgram(samples.keys())].map(([name, pods]) => ({
      name,
      pods: podCounts.get(name) ?? 0,
      milliCpu: Math.round(sum(pods.map((pod) => meanMilliCpu(samples.get(pod) ?? [])))),
      peakMilliCpu: Math.round(Math.max(...pods.map((pod) => peakMilliCpu(samples.get(pod) ?? [])))),
      peakMebibytes: Math.round(
        Math.max(...pods.flatMap((pod) => samples.get(pod) ?? []).map(({ bytes }) => bytes)) / 1024 ** 2,
      ),
    }));
    return usage.toSorted((a, b) => a.name.localeCompare(b.name));
  };
}

export function printUsage(title: string, usage: Usage[]): void {
  const rows = usage.map(
    ({ name, pods, milliCpu, peakMilliCpu: peak, peakMebibytes }) =>
      `${name.padEnd(10)} ${pods} pods, CPU ${milliCpu} m (at most ${peak} m in one pod), memory at most ${peakMebibytes} MiB`,
  );
  process.stdout.write(`\n${title}\n${rows.join('\n')}\n`);
}

async function sampleOnce(namespace: string): Promise<Map<string, Sample>> {
  const { items } = await readApi('/api/v1/nodes');
  const found = new Map<string, Sample>();
  for (const { metadata } of items) {
    const summary: Summary = await readApi(`/api/v1/nodes/${metadata.name}/proxy/stats/summary`);
    for (const { podRef, containers = [] } of summary.pods)
      for (const { name, cpu, memory } of containers)
        if (podRef.namespace === namespace && name !== 'migrate' && cpu?.usageCoreNanoSeconds)
          found.set(podRef.name, {
            at: Date.parse(cpu.time),
            cpuNanoseconds: cpu.usageCoreNanoSeconds,
            bytes: memory?.workingSetBytes ?? 0,
          });
  }
  return found;
}

interface Summary {
  pods: {
    podRef: { name: string; namespace: string };
    containers?: {
      name: string;
      cpu?: { time: string; usageCoreNanoSeconds?: number };
      memory?: { workingSetBytes?: number };
    }[];
  }[];
}

/** The pods of each program; the name of a pod begins with the name of its program. */
function byProgram(pods: Iterable<string>): Map<string, string[]> {
  const programs = new Map<string, string[]>();
  for (const pod of pods) {
    const name = pod.split('-')[0] ?? pod;
    programs.set(name, [...(programs.get(name) ?? []), pod]);
  }
  return programs;
}

function milliCpuBetween(first: Sample | undefined, last: Sample | undefined): number {
  if (!first || !last || first.at === last.at) return 0;
  return (last.cpuNanoseconds - first.cpuNanoseconds) / 1e6 / ((last.at - first.at) / 1000);
}

const meanMilliCpu = (samples: Sample[]) => milliCpuBetween(samples[0], samples.at(-1));

const peakMilliCpu = (samples: Sample[]) =>
  Math.max(0, ...samples.slice(1).map((sample, index) => milliCpuBetween(samples[index], sample)));

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
