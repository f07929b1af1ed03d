/** Parses a number with at most four decimals after a point or a comma; undefined for anything else. */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.');
  return /^[+-]?\d{1,7}(\.\d{0,4})?$/.test(trimmed) || /^[+-]?\.\d{1,4}$/.test(trimmed)
    ? Number(trimmed)
    : undefined;
}
