import type { ApiError } from '../api/apiError.ts';

/** The server's validation errors for a form: per field, and the rest. */
export interface FormErrors {
  fields: Record<string, string>;
  general: string;
}

/**
 * Returns the first message of each field that the form shows. Messages about other fields, or otherwise the general
 * message, are shown above the form. A message starts with the field's API name, which is replaced by the label that
 * users know.
 */
export function formErrorsOf(
  { message, fields }: ApiError,
  known: readonly string[],
  labelOf: (field: string) => string,
): FormErrors {
  const errors: FormErrors = { fields: {}, general: '' };
  const others: string[] = [];
  for (const [field, [first]] of Object.entries(fields)) {
    if (first === undefined) continue;
    const text = labelled(first, field, labelOf(field));
    if (known.includes(field)) errors.fields[field] = text;
    else others.push(text);
  }
  const isAnywhere = others.length > 0 || Object.keys(errors.fields).length > 0;
  return { ...errors, general: isAnywhere ? others.join(' ') : message };
}

/** Turns `The closes at field is required.` into `“Closes” is required.` */
function labelled(message: string, field: string, label: string): string {
  const name = `The ${field.replaceAll('_', ' ')} `;
  if (label === field || !message.startsWith(name)) return message;
  return `“${label}” ${message.slice(name.length).replace(/^field /, '')}`;
}
