/** The middle value; for an even number of values, the upper of the two in the middle. */
export const median = (values: number[]): number => percentile(values, 50);

/** The value that `percent` of the values do not exceed. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** A number with three significant digits, without an exponent. */
export const short = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
