/** Whether an update changes nothing. Such an update increments no revision and publishes no event. */
export function isNoOpUpdate<T extends object>(record: T, changes: Partial<T>): boolean {
  return Object.entries(changes).every(([name, value]) => record[name as keyof T] === value);
}
