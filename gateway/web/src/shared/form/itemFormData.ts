import { fieldTimeOf, momentOf, utcTimeOf } from '../time/moment.ts';

/**
 * Converts a form to a request body: times in UTC, without unchanged fields. When editing (`before`), a field is sent
 * if its value differs; a field that is absent from `before` and left empty stays unchanged.
 */
export function bodyOf(
  form: FormData,
  times: readonly string[],
  before: Record<string, string> = {},
): FormData {
  const body = new FormData();
  for (const [name, value] of form) {
    if (typeof value !== 'string') {
      // A file field without a selected file.
      if (value.size > 0 || value.name !== '') body.append(name, value);
      continue;
    }
    const text = value.trim();
    if (text === (before[name] ?? '')) continue;
    body.append(name, text !== '' && times.includes(name) ? utcTimeOf(text) : text);
  }
  return body;
}

/** Converts a time of the API to the value of a form field. */
export const storedTime = (time: string | null): string => (time === null ? '' : fieldTimeOf(momentOf(time)));

/** Returns the properties that make a form field show its stored value. */
export const storedFields =
  <Name extends string>(before: Record<Name, string> | undefined) =>
  (name: Name) => ({ name, defaultValue: before?.[name], isClearable: (before?.[name] ?? '') !== '' });
