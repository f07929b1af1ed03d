import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kind } from '../faults/table/ledger.ts';
import type { SystemUnderTest } from '../faults/table/system.ts';
import { keptFiles } from './clusterSystem.ts';
import { kubectl, podsOf } from './kubectl.ts';

/**
 * Calls `use` with the system, whose files of one kind are read from a copy: one command for each of hundreds of files
 * would take minutes.
 */
export async function withCopiedFiles<Result>(
  system: SystemUnderTest,
  { namespace, kind }: { namespace: string; kind: Kind },
  use: (system: SystemUnderTest) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-files-'));
  try {
    const [pod] = await podsOf(namespace, kind);
    await kubectl('cp', `${namespace}/${pod}:${keptFiles}`, directory, '-c', 'main');
    return await use({
      ...system,
      storedBytes: (of, key) =>
        of === kind
          ? readFile(join(directory, key.slice(0, 2), key)).catch(() => undefined)
          : system.storedBytes(of, key),
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}
