import { text } from 'node:stream/consumers';
import { parseManifest, totalsOf } from '../manifest.ts';
import { type Backups, manifestName } from '../storage/backupStorage.ts';

/** A complete backup. Sizes are in bytes. */
export interface RecentBackup {
  finishedAt: Date;
  database: number;
  files: number;
}

export interface MeasuredBackups extends Pick<Backups, 'names' | 'isComplete' | 'open'> {
  sizeOfTables(name: string): Promise<number>;
}

/**
 * Returns a function that reads the two newest complete backups, the newest first. One with a damaged manifest cannot be
 * restored, so it is not complete. A complete backup never changes, so each is read once: later calls only list the names.
 */
export function recentBackups(backups: MeasuredBackups): () => Promise<RecentBackup[]> {
  const known = new Map<string, RecentBackup>();
  return async () => {
    const names = await backups.names();
    for (const name of known.keys()) if (!names.includes(name)) known.delete(name);
    const recent: RecentBackup[] = [];
    for (const name of names.toReversed()) {
      const backup = known.get(name) ?? (await readBackup(backups, name));
      if (!backup) continue;
      known.set(name, backup);
      recent.push(backup);
      if (recent.length === 2) break;
    }
    return recent;
  };
}

async function readBackup(backups: MeasuredBackups, name: string): Promise<RecentBackup | undefined> {
  if (!(await backups.isComplete(name))) return undefined;
  const manifest = parseManifest(await text(backups.open(name).read(manifestName)));
  if (!manifest) return undefined;
  const database = await backups.sizeOfTables(name);
  return { finishedAt: new Date(manifest.finishedAt), database, files: totalsOf(manifest).bytes };
}
