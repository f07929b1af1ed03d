import { useEffect, useState } from 'react';
import type { SheetDocument } from '../../shared/sheet/sheetDocument.ts';
import type { GradingFile } from '../queue/gradingTypes.ts';
import { openSheets } from './openSheets.ts';

/** A file of a submission, with its pages or with what prevents showing them. */
export interface OpenFile {
  file: GradingFile;
  sheet?: SheetDocument;
  error?: unknown;
  /** The pages of all files are counted together. */
  firstNumber: number;
  retry(): void;
}

type Outcome = Pick<OpenFile, 'sheet' | 'error'>;

interface State {
  /** Of which files: an outcome is never shown for others, not even for one frame. */
  key: string;
  outcomes: Outcome[] | undefined;
}

/** The opened files; at once when they were prepared, else undefined until all are opened or have failed. */
export function useOpenFiles(files: GradingFile[]): OpenFile[] | undefined {
  const key = files.map(({ id, sha256 }) => `${id} ${sha256}`).join();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<State>(() => ({ key, outcomes: prepared(files) }));
  const outcomes = state.key === key ? state.outcomes : prepared(files);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes when the files do; their addresses change with each answer
  useEffect(() => {
    const ready = prepared(files);
    if (ready)
      return setState((before) =>
        before.key === key && before.outcomes ? before : { key, outcomes: ready },
      );
    let isCurrent = true;
    void Promise.all(files.map(outcomeOf)).then((all) => isCurrent && setState({ key, outcomes: all }));
    return () => {
      isCurrent = false;
    };
  }, [key, attempt]);

  const retry = () => setAttempt((before) => before + 1);
  let number = 1;
  return outcomes?.map((outcome, index) => {
    const firstNumber = number;
    number += outcome.sheet?.pageCount ?? 1;
    return { file: files[index] as GradingFile, ...outcome, firstNumber, retry };
  });
}

const outcomeOf = (file: GradingFile): Promise<Outcome> =>
  openSheets.open(file).then(
    (sheet) => ({ sheet }),
    (error: unknown) => ({ error }),
  );

function prepared(files: GradingFile[]): Outcome[] | undefined {
  const sheets = files.map((file) => openSheets.opened(file));
  return sheets.every((sheet) => sheet !== undefined) ? sheets.map((sheet) => ({ sheet })) : undefined;
}
