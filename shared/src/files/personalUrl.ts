/*
 * A signed URL can be restricted to one reader by the parameter `for`, which the signature covers.
 */

/** The name that the signature of a URL covers. Unambiguous, because no name contains ` for `. */
export const signedName = (name: string, reader: string | undefined): string =>
  reader === undefined ? name : `${name} for ${reader}`;

export const readerParameter = (reader: string | undefined): string =>
  reader === undefined ? '' : `for=${encodeURIComponent(reader)}&`;
