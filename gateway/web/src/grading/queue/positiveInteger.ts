/** Returns a number from the URL; undefined for anything but a positive integer. */
export const positiveInteger = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
