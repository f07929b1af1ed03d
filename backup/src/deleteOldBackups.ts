import type { Backups } from './storage/backupStorage.ts';

/**
 * Deletes all but the newest `keep` complete backups. Also deletes incomplete backups older than the newest complete
 * one, because they were interrupted. Anything else in the same place stays.
 */
export async function deleteOldBackups(
  backups: Backups,
  keep: number,
  print: (line: string) => void,
): Promise<void> {
  const names = await backups.names();
  const complete = await filterAsync(names, (name) => backups.isComplete(name));
  const kept = new Set(complete.slice(-keep));
  const newest = complete.at(-1) ?? '';
  for (const name of names.filter((each) => !kept.has(each) && each < newest)) {
    await backups.remove(name);
    print(`Deleted the old backup ${name}`);
  }
  const [oldest] = kept;
  if (oldest !== undefined) await backups.removeFilesBefore?.(oldest);
}

async function filterAsync<T>(items: T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const results = await Promise.all(items.map(test));
  return items.filter((_item, index) => results[index]);
}
