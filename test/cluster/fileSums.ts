import type { Kind } from '../faults/table/ledger.ts';
import type { SystemUnderTest } from '../faults/table/system.ts';
import { keptFiles } from './clusterSystem.ts';
import { kubectl } from './kubectl.ts';

/**
 * The system with the SHA-256 sums of the files that a service has now, computed in its pod: to fetch hundreds of files
 * one by one would take minutes.
 */
export async function withFileSums(
  system: SystemUnderTest,
  { namespace, kind }: { namespace: string; kind: Kind },
): Promise<SystemUnderTest> {
  const inPod = ['-n', namespace, 'exec', `deploy/${kind}`, '-c', 'main', '--'];
  const output = await kubectl(...inPod, 'find', keptFiles, '-type', 'f', '-exec', 'sha256sum', '{}', '+');
  const sums = new Map(
    output.split('\n').map((line) => {
      const [sum = '', path = ''] = line.split(/ +/);
      return [path.split('/').at(-1) ?? '', sum];
    }),
  );
  return { ...system, storedSum: async (of, key) => (of === kind ? sums.get(key) : undefined) };
}
