interface ChangeLine {
  field: string;
  before: string;
  after: string;
}

/** A value as it was recorded. Nothing is a dash; a list or an object is written as JSON. */
function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What changed, field by field, in the order of the alphabet. */
export function changeLines(changes: Record<string, unknown[]> | null): ChangeLine[] {
  return Object.entries(changes ?? {})
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([field, [before, after]]) => ({ field, before: valueText(before), after: valueText(after) }));
}
