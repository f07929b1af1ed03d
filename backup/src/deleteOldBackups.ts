import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const nameOfBackup = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/;

/**
 * Deletes all but the newest `keep` complete backups. Also deletes incomplete backups older than the newest complete
 * one, because they were interrupted. Other entries in the directory stay.
 */
export async function deleteOldBackups(
  directory: string,
  keep: number,
  print: (line: string) => void,
): Promise<void> {
  const names = (await readdir(directory)).filter((name) => nameOfBackup.test(name)).toSorted();
  const complete = await filterAsync(names, (name) => isComplete(join(directory, name)));
  const kept = new Set(complete.slice(-keep));
  const newest = complete.at(-1) ?? '';
  for (const name of names.filter((each) => !kept.has(each) && each < newest)) {
    await rm(join(directory, name), { recursive: true, force: true });
    print(`Deleted the old backup ${name}`);
  }
}

const isComplete = (directory: string): Promise<boolean> =>
  access(join(directory, 'manifest.json')).then(
    () => true,
    () => false,
  );

async function filterAsync<T>(items: T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const results = await Promise.all(items.map(test));
  return items.filter((_item, index) => results[index]);
}
