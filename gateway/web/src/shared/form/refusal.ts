import type { ApiError } from '../api/apiError.ts';

/** What the server refuses of a form: by field, and the rest. */
export interface Refusal {
  fields: Record<string, string>;
  general: string;
}

/** The first message of each field that the form shows; those of other fields, or the message, are shown above it. */
export function refusalOf({ message, fields }: ApiError, known: readonly string[]): Refusal {
  const refusal: Refusal = { fields: {}, general: '' };
  const others: string[] = [];
  for (const [field, [first]] of Object.entries(fields)) {
    if (first === undefined) continue;
    if (known.includes(field)) refusal.fields[field] = first;
    else others.push(first);
  }
  const isAnywhere = others.length > 0 || Object.keys(refusal.fields).length > 0;
  return { ...refusal, general: isAnywhere ? others.join(' ') : message };
}
