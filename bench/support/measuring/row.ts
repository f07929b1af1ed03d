import { median, short } from './statistics.ts';

/** The limit for the median of the values. */
type Goal = { atMost: number } | { atLeast: number };

/** One comparison with its goal: a row of the table. */
export interface Row {
  /** Identifies the row. A later run replaces the row with the same name. */
  name: string;
  work: string;
  against: string;
  goal: Goal;
  /** The unit of the values; without one they are ratios. */
  unit?: string;
  /** One value for each round. */
  values: number[];
  /** Absolute figures behind the values. */
  note?: string;
  /** Versions of the peers and tools; Node.js is added. */
  versions?: Record<string, string>;
}

export const isReached = ({ goal, values }: Pick<Row, 'goal' | 'values'>): boolean => {
  const value = median(values);
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
};

export function describeGoal({ goal, unit = '' }: Pick<Row, 'goal' | 'unit'>): string {
  const suffix = unit && ` ${unit}`;
  return 'atMost' in goal ? `≤ ${goal.atMost}${suffix}` : `≥ ${goal.atLeast}${suffix}`;
}

/** The median and, if there is more than one value, the spread. */
export function describeValues({ values, unit = '' }: Pick<Row, 'values' | 'unit'>): string {
  const spread = values.length > 1 ? ` (${short(Math.min(...values))} to ${short(Math.max(...values))})` : '';
  return `${short(median(values))}${unit && ` ${unit}`}${spread}`;
}
