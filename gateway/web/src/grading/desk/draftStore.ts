import type { Target } from '../queue/gradingTypes.ts';
import type { Draft } from './draft.ts';

/** A draft and the state of the submission that it started from. */
export interface KeptDraft {
  draft: Draft;
  base: Draft;
  etag: string;
  keptAt: number;
}

export interface DraftOwner extends Target {
  personId: number;
}

const prefix = 'gradeway.draft.';
const keyOf = ({ personId, kind, id, questionId }: DraftOwner) =>
  `${prefix}${personId}.${kind}.${id}${questionId === undefined ? '' : `.${questionId}`}`;

/** Returns the unsaved draft of a submission or answer on this device. */
export function readDraft(owner: DraftOwner): KeptDraft | undefined {
  try {
    const text = localStorage.getItem(keyOf(owner));
    return text === null ? undefined : (JSON.parse(text) as KeptDraft);
  } catch {
    return undefined;
  }
}

/**
 * Stores a draft until it is saved, evicting the oldest others if necessary. Returns false if there is still no space.
 */
export function keepDraft(owner: DraftOwner, kept: KeptDraft): boolean {
  const text = JSON.stringify(kept);
  for (;;)
    try {
      localStorage.setItem(keyOf(owner), text);
      return true;
    } catch {
      if (!dropOldest(keyOf(owner))) return false;
    }
}

export function dropDraft(owner: DraftOwner): void {
  localStorage.removeItem(keyOf(owner));
}

function dropOldest(except: string): boolean {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix) && key !== except);
  const ageOf = (key: string) => {
    try {
      return (JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<KeptDraft>).keptAt ?? 0;
    } catch {
      return 0;
    }
  };
  const [oldest] = keys.toSorted((one, other) => ageOf(one) - ageOf(other));
  if (oldest === undefined) return false;
  localStorage.removeItem(oldest);
  return true;
}
