import { utcTimeOf } from '../../shared/time/moment.ts';

/**
 * A form as the server reads it: times in UTC, without the fields that stay as they are. When something is changed (`before`), a
 * field is sent if its value differs; an unknown field that is left empty stays.
 */
export function bodyOf(
  form: FormData,
  times: readonly string[],
  before: Record<string, string> = {},
): FormData {
  const body = new FormData();
  for (const [name, value] of form) {
    if (typeof value !== 'string') {
      // A field for a file without one.
      if (value.size > 0 || value.name !== '') body.append(name, value);
      continue;
    }
    const text = value.trim();
    if (text === (before[name] ?? '')) continue;
    body.append(name, text !== '' && times.includes(name) ? utcTimeOf(text) : text);
  }
  return body;
}
