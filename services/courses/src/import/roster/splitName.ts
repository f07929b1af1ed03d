export interface PersonName {
  firstName: string;
  /** Empty for people with one name (D56). */
  lastName: string;
}

/** Splits a full name before its last word, or at a comma ("Lovelace, Ada"). A single name is a first name. */
export function splitName(name: string): PersonName {
  const words = name.split(/\s+/u).filter(Boolean).join(' ');
  const [last = '', first = '', ...more] = words.split(/ ?, ?/u);
  if (first !== '' && more.length === 0) return { firstName: first, lastName: last };
  const end = words.lastIndexOf(' ');
  return end === -1
    ? { firstName: words, lastName: '' }
    : { firstName: words.slice(0, end), lastName: words.slice(end + 1) };
}
