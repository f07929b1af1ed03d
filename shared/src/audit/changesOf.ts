import type { AuditChanges } from './auditEntry.ts';

/**
 * Returns the before and after values of the named properties that differ, or null if none do. `before` is null for a
 * created record, `after` for a deleted one. Properties are listed explicitly so that a secret added to a record later
 * does not reach the audit log.
 */
export function changesOf<T extends object>(
  before: Partial<T> | null,
  after: Partial<T> | null,
  properties: readonly (keyof T & string)[],
): AuditChanges | null {
  const changes: AuditChanges = {};
  for (const property of properties) {
    const values = [jsonOf(before?.[property]), jsonOf(after?.[property])] as const;
    if (JSON.stringify(values[0]) !== JSON.stringify(values[1]))
      changes[snakeCase(property)] = [values[0], values[1]];
  }
  return Object.keys(changes).length > 0 ? changes : null;
}

/**
 * A change of text that the audit log must not store, such as a comment on a student's work. The entry only shows
 * whether there was text before and after.
 */
export function withheldChange(
  name: string,
  before: string | null,
  after: string | null,
): AuditChanges | null {
  if (before === after) return null;
  return { [name]: [before === null ? null : '(text)', after === null ? null : '(other text)'] };
}

const jsonOf = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null));

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
