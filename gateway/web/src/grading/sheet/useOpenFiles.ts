import { useEffect, useState } from 'react';
import type { SheetDocument } from '../../shared/sheet/sheetDocument.ts';
import type { AnswerPage, GradingFile } from '../queue/gradingTypes.ts';
import { openSheets } from './openSheets.ts';

/** A file of a submission, with its document or the error that prevents displaying it. */
export interface OpenFile {
  file: GradingFile;
  sheet?: SheetDocument;
  error?: unknown;
  /** The number of the file's first page, counted across all files. */
  firstNumber: number;
  retry(): void;
}

type Outcome = Pick<OpenFile, 'sheet' | 'error'>;

interface State {
  /** Identifies the files, so that an outcome is never shown for other files, not even for one frame. */
  key: string;
  outcomes: Outcome[] | undefined;
}

/** Returns the opened files: immediately if they were prepared, otherwise undefined until each has opened or failed. */
export function useOpenFiles(files: GradingFile[]): OpenFile[] | undefined {
  const key = files.map(({ id, sha256 }) => `${id} ${sha256}`).join();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<State>(() => ({ key, outcomes: prepared(files) }));
  const outcomes = state.key === key ? state.outcomes : prepared(files);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the files; their signed URLs change
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

/** Returns the number of a page, counted across all files; 1 for a page that does not exist. */
export function pageNumber(files: OpenFile[] | undefined, place: AnswerPage | undefined): number {
  if (!place) return 1;
  const file = files?.find(({ file: { id } }) => id === place.file_id);
  return file?.sheet && place.page <= file.sheet.pageCount ? file.firstNumber + place.page - 1 : 1;
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
