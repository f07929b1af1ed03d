import type { Annotation } from '../queue/gradingTypes.ts';

/** A colour of marks; null is the default. */
export interface MarkColor {
  english: string;
  color: string | null;
  /** The colour as it appears on paper. */
  shown: string;
}

const ink: MarkColor[] = [
  { english: 'Red', color: null, shown: '#c2382b' },
  { english: 'Blue', color: '#1f5fbf', shown: '#1f5fbf' },
  { english: 'Green', color: '#1e7d3a', shown: '#1e7d3a' },
  { english: 'Black', color: '#1f2328', shown: '#1f2328' },
];

const highlighters: MarkColor[] = [
  { english: 'Yellow', color: null, shown: '#ffd84d' },
  { english: 'Blue', color: '#8ec5ff', shown: '#8ec5ff' },
  { english: 'Green', color: '#8fd694', shown: '#8fd694' },
  { english: 'Pink', color: '#ff9ec7', shown: '#ff9ec7' },
];

/** Highlighters must be light enough to read through; other marks must be visible on paper. */
export const colorsOf = ({ kind }: Pick<Annotation, 'kind'>): MarkColor[] =>
  kind === 'highlight' ? highlighters : ink;
