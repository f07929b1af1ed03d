import { weightedValues } from './weightedValues.ts';

/** The encodings that files are prepared in, the smaller first. */
export const encodings = ['br', 'gzip'] as const;

export type Encoding = (typeof encodings)[number];

/** The encodings that a client accepts by its `Accept-Encoding`, the best first. Every client accepts none at all. */
export function acceptedEncodings(header: string | undefined): Encoding[] {
  const weights = weightedValues(header);
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  return encodings
    .filter((encoding) => weightOf(encoding) > 0)
    .toSorted((one, other) => weightOf(other) - weightOf(one));
}
