import { cpuOfTrees } from './cpuTime.ts';
import { median, short } from './statistics.ts';

/** The results of one round of a subject. The names of durations end with their unit, such as `p99Ms`. */
export type Figures = Record<string, number>;

/** One of the subjects being compared: Gradeway, a peer, a limit, or Gradeway with a different setting. */
export interface Subject {
  name: string;
  /**
   * One round. `operations` and `seconds` add the figure `rate` (operations a second); `operations` and `processes`
   * add the figure `cpu` (microseconds of CPU time per operation).
   */
  run(): Promise<Figures>;
  /** Runs before each round, and is not measured. */
  prepare?(): Promise<unknown>;
  /** The roots of the process trees whose CPU time counts. */
  processes?(): number[];
}

interface Comparison {
  subjects: Subject[];
  rounds: number;
  /** Warm-up rounds per subject, which are not counted; 1 by default. */
  warmUps?: number;
}

/** The figures of every round, by subject. */
export class Measurement {
  readonly #rounds = new Map<string, Figures[]>();

  add(subject: string, figures: Figures): void {
    this.#rounds.set(subject, [...(this.#rounds.get(subject) ?? []), figures]);
  }

  /** Adds the rounds of another measurement of the same subjects. */
  include(other: Measurement): void {
    for (const [subject, rounds] of other.#rounds) for (const figures of rounds) this.add(subject, figures);
  }

  /** One figure of a subject in every round. @throws Error when a round lacks it */
  values(subject: string, figure: string): number[] {
    return (this.#rounds.get(subject) ?? []).map((figures, round) => {
      const value = figures[figure];
      if (value === undefined) throw new Error(`${subject} has no ${figure} in round ${round + 1}`);
      return value;
    });
  }

  /** The figure of a subject divided by another's, round by round: they were measured in turn. */
  ratios(subject: string, other: string, figure: string): number[] {
    const others = this.values(other, figure);
    return this.values(subject, figure).map((value, round) => value / (others[round] ?? Number.NaN));
  }

  /** The figure of a subject minus another's, round by round. */
  differences(subject: string, other: string, figure: string): number[] {
    const others = this.values(other, figure);
    return this.values(subject, figure).map((value, round) => value - (others[round] ?? Number.NaN));
  }

  /** The median of a figure, for the note of a row. */
  median(subject: string, figure: string): number {
    return median(this.values(subject, figure));
  }

  /** The medians of all figures, one line per subject. */
  table(): string {
    const width = Math.max(...[...this.#rounds.keys()].map((name) => name.length));
    const lines = [...this.#rounds].map(([name, rounds]) => {
      const figures = Object.keys(rounds[0] ?? {}).map(
        (figure) => `${figure} ${short(this.median(name, figure))}`,
      );
      return `  ${name.padEnd(width)}  ${figures.join('  ')}`;
    });
    return lines.join('\n');
  }
}

/**
 * Measures subjects alternately, so that other load on the machine affects all of them equally. Each subject comes
 * first in a round equally often. Every other round runs in the opposite order, so that no subject always follows the
 * same one, which may have used up the burst credit of a shared machine.
 */
export async function measure({ subjects, rounds, warmUps = 1 }: Comparison): Promise<Measurement> {
  const measurement = new Measurement();
  for (let round = -warmUps; round < rounds; round += 1)
    for (const subject of inOrderOf(round + warmUps, subjects)) {
      const figures = await runRound(subject);
      if (round >= 0) measurement.add(subject.name, figures);
    }
  return measurement;
}

/**
 * Rotates the items of a round or set so that each comes first in turn, and reverses the order in every other round.
 */
export function inOrderOf<T>(round: number, items: T[]): T[] {
  const direction = round % 2 === 0 ? 1 : -1;
  return items.map((_, turn) => items.at((round + direction * turn) % items.length) as T);
}

async function runRound({ run, prepare, processes }: Subject): Promise<Figures> {
  await prepare?.();
  const before = processes && cpuOfTrees(processes());
  const figures = await run();
  const { operations, seconds } = figures;
  return {
    ...figures,
    ...(operations !== undefined && seconds !== undefined ? { rate: operations / seconds } : {}),
    ...(operations !== undefined && before !== undefined && processes
      ? { cpu: (cpuOfTrees(processes()) - before) / operations }
      : {}),
  };
}
