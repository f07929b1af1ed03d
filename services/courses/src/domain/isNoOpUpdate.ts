/** Whether these changes alter anything of a record. What alters nothing is no news: no revision, no event. */
export function hasChanges<T extends object>(record: T, changes: Partial<T>): boolean {
  return Object.entries(changes).some(([name, value]) => record[name as keyof T] !== value);
}
