/** Returns a record without its undefined properties, so that spreading it does not overwrite earlier values. */
export function withoutUndefined<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
