import type { Annotation } from '../queue/gradingTypes.ts';

/** The marks of a submission, with the states to undo and redo. */
export interface MarkHistory {
  past: Annotation[][];
  present: Annotation[];
  future: Annotation[][];
  /** The mark that the last change moved. Moving it again extends the same undo step. */
  moved?: string | undefined;
}

export type MarkChange =
  | { do: 'add'; mark: Annotation }
  | { do: 'remove'; id: string }
  /** Changes the colour, text or rubric item of a mark. */
  | { do: 'change'; mark: Annotation }
  | { do: 'move'; mark: Annotation }
  | { do: 'undo' }
  | { do: 'redo' }
  /** Starts a new history, such as after choosing another grader's grading. */
  | { do: 'replace'; marks: Annotation[] };

const steps = 200;
/** The service's limit per submission. */
export const maxMarks = 500;

export const historyOf = (marks: Annotation[]): MarkHistory => ({ past: [], present: marks, future: [] });

export function changeMarks(history: MarkHistory, change: MarkChange): MarkHistory {
  const { past, present, future } = history;
  switch (change.do) {
    case 'add':
      return present.length >= maxMarks ? history : changed(history, [...present, change.mark]);
    case 'remove': {
      const kept = present.filter(({ id }) => id !== change.id);
      return kept.length === present.length ? history : changed(history, kept);
    }
    case 'change':
      return exchanged(history, change.mark) ?? history;
    case 'move': {
      const after = exchanged(history, change.mark);
      if (!after) return history;
      const isSameStep = history.moved === change.mark.id;
      return { ...after, past: isSameStep ? past : after.past, moved: change.mark.id };
    }
    case 'undo': {
      const before = past.at(-1);
      return before ? { past: past.slice(0, -1), present: before, future: [present, ...future] } : history;
    }
    case 'redo': {
      const [after, ...rest] = future;
      return after ? { past: [...past, present], present: after, future: rest } : history;
    }
    case 'replace':
      return historyOf(change.marks);
  }
}

function changed({ past, present }: MarkHistory, marks: Annotation[]): MarkHistory {
  return { past: [...past, present].slice(-steps), present: marks, future: [] };
}

/** Replaces a mark at its position in the list; undefined if it is unchanged or no longer exists. */
function exchanged(history: MarkHistory, mark: Annotation): MarkHistory | undefined {
  const old = history.present.find(({ id }) => id === mark.id);
  if (!old || JSON.stringify(old) === JSON.stringify(mark)) return undefined;
  return changed(
    history,
    history.present.map((each) => (each === old ? mark : each)),
  );
}
