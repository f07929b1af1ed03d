import type { AuditChanges } from './auditEntry.ts';

/**
 * The values before and after of the named properties that differ; null when none does. `before` is null for a record
 * that was created, `after` for one that was deleted. Properties are listed explicitly, so that a secret that is added to a
 * record later does not appear in the audit log.
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
 * A text whose content the audit log must not keep, such as a comment on a student's work: whether there is one, and
 * whether it is another one, is all that the entry says.
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
