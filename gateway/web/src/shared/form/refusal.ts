import type { ApiError } from '../api/apiError.ts';

/** What the server refuses of a form: by field, and the rest. */
export interface Refusal {
  fields: Record<string, string>;
  general: string;
}

/**
 * The first message of each field that the form shows; those of other fields, or the message, are shown above it. Messages begin
 * with the name that a field has in the interface: people know its label.
 */
export function refusalOf(
  { message, fields }: ApiError,
  known: readonly string[],
  labelOf: (field: string) => string,
): Refusal {
  const refusal: Refusal = { fields: {}, general: '' };
  const others: string[] = [];
  for (const [field, [first]] of Object.entries(fields)) {
    if (first === undefined) continue;
    const text = labelled(first, field, labelOf(field));
    if (known.includes(field)) refusal.fields[field] = text;
    else others.push(text);
  }
  const isAnywhere = others.length > 0 || Object.keys(refusal.fields).length > 0;
  return { ...refusal, general: isAnywhere ? others.join(' ') : message };
}

/** `The closes at field is required.` becomes `“Closes” is required.` */
function labelled(message: string, field: string, label: string): string {
  const name = `The ${field.replaceAll('_', ' ')} `;
  if (label === field || !message.startsWith(name)) return message;
  return `“${label}” ${message.slice(name.length).replace(/^field /, '')}`;
}
