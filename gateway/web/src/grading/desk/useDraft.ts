import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { Sheet } from '../queue/gradingTypes.ts';
import { changeMarks, historyOf, type MarkChange, type MarkHistory } from '../sheet/markHistory.ts';
import { type Draft, draftOf, fitToRubric, isSameDraft, mergeDraft } from './draft.ts';
import { type DraftOwner, dropDraft, keepDraft, readDraft } from './draftStore.ts';
import { type Graded, gradedOf } from './questionSheet.ts';

type Form = Omit<Draft, 'annotations'>;

interface State {
  form: Form;
  history: MarkHistory;
  /** The form before the grader changed it. `etag` names the version of the submission that it shows. */
  base: Draft;
  etag: string;
}

type Change =
  | { do: 'form'; form: Partial<Form> }
  | { do: 'marks'; change: MarkChange }
  /** The submission has changed. `sent` is the draft that this form has just saved, if any. */
  | { do: 'rebase'; sheet: Sheet; usualTotal: number | null; sent: Draft | undefined; graded: Graded };

const draftIn = ({ form, history }: State): Draft => ({ ...form, annotations: history.present });

function stateOf(draft: Draft, base: Draft, etag: string): State {
  const { annotations, ...form } = draft;
  return { form, history: historyOf(annotations), base, etag };
}

function reduce(state: State, change: Change): State {
  switch (change.do) {
    case 'form':
      return { ...state, form: { ...state.form, ...change.form } };
    case 'marks':
      return { ...state, history: changeMarks(state.history, change.change) };
    case 'rebase': {
      const { sheet, usualTotal, sent, graded } = change;
      if (sheet.etag === state.etag) return state;
      const theirs = draftOf(sheet.detail, usualTotal);
      const mine = fitToRubric(draftIn(state), sheet.detail);
      const { draft, isConflict } = mergeDraft(sent ?? state.base, mine, theirs, graded);
      // A conflict keeps the old ETag, so that saving is rejected and the grader is asked.
      if (isConflict) return state;
      const kept = isSameMarks(draft, state) ? state.history : historyOf(draft.annotations);
      return { ...stateOf(draft, theirs, sheet.etag), history: kept };
    }
  }
}

const isSameMarks = ({ annotations }: Draft, { history }: State) =>
  JSON.stringify(annotations) === JSON.stringify(history.present);

/** Restores this device's draft of a submission, to the extent that it still fits. */
function begin({
  sheet,
  owner,
  usualTotal,
}: {
  sheet: Sheet;
  owner: DraftOwner;
  usualTotal: number | null;
}): State {
  const theirs = draftOf(sheet.detail, usualTotal);
  const kept = readDraft(owner);
  if (!kept) return stateOf(theirs, theirs, sheet.etag);
  if (kept.etag === sheet.etag) return stateOf(kept.draft, kept.base, kept.etag);
  const graded = gradedOf(owner.kind, owner.questionId);
  const { draft, isConflict } = mergeDraft(kept.base, fitToRubric(kept.draft, sheet.detail), theirs, graded);
  return isConflict ? stateOf(draft, kept.base, kept.etag) : stateOf(draft, theirs, sheet.etag);
}

/** A grader's input for a submission or answer, stored on the device until it is saved. */
export function useDraft(sheet: Sheet, owner: DraftOwner, usualTotal: number | null) {
  const [state, dispatch] = useReducer(reduce, { sheet, owner, usualTotal }, begin);
  const [isKept, setKept] = useState(true);
  const [hadDraft] = useState(() => readDraft(owner) !== undefined);
  /** This tab must not drop a draft that another tab has stored. */
  const isOwn = useRef(hadDraft);
  const sent = useRef<Draft[]>([]);
  const draft = useMemo(() => draftIn(state), [state]);
  const isChanged = useMemo(() => !isSameDraft(draft, state.base), [draft, state.base]);

  // Runs before the frame, so that no key saves on top of the previous state. Effects also run when a hidden desk is
  // shown, possibly without a new version.
  const graded = gradedOf(owner.kind, owner.questionId);
  const seen = useRef(sheet.etag);
  useLayoutEffect(() => {
    if (seen.current === sheet.etag) return;
    seen.current = sheet.etag;
    dispatch({ do: 'rebase', sheet, usualTotal, sent: sent.current.shift(), graded });
  }, [sheet, usualTotal, graded]);

  useEffect(() => {
    if (isChanged) {
      isOwn.current = true;
      setKept(keepDraft(owner, { draft, base: state.base, etag: state.etag, keptAt: Date.now() }));
    } else if (isOwn.current) dropDraft(owner);
  }, [owner, isChanged, draft, state.base, state.etag]);

  return {
    draft,
    base: state.base,
    etag: state.etag,
    history: state.history,
    isChanged,
    /** False when this device has no space for the draft. */
    isKept,
    change: useCallback((form: Partial<Form>) => dispatch({ do: 'form', form }), []),
    changeMarks: useCallback((change: MarkChange) => dispatch({ do: 'marks', change }), []),
    /** Remembers the draft being saved, so that its response is not mistaken for another grader's change. */
    markSent: useCallback((saving: Draft) => {
      if (!sent.current.some((each) => isSameDraft(each, saving))) sent.current.push(saving);
    }, []),
    /** Call this when the draft was not saved, because no response will follow. */
    forgetSent: useCallback((unsaved: Draft) => {
      sent.current = sent.current.filter((each) => each !== unsaved);
    }, []),
  };
}
