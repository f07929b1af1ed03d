/** SQL that aggregates ids to bytes. Their text would take longer to read than their rows. */
export const packedIds = (id: string): string => `string_agg(int4send(${id}), '')`;

/** Returns the ids that {@link packedIds} aggregated; null is what it returns without rows. */
export function unpackIds(packed: Buffer | null): number[] {
  if (!packed) return [];
  return Array.from({ length: packed.length / 4 }, (_, index) => packed.readInt32BE(index * 4));
}
