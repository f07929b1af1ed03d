import { useEffect, useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { SheetDocument } from '../../shared/sheet/sheetDocument.ts';

interface Opened {
  key: string;
  sheets?: SheetDocument[];
  /** Whether the pages are shown without the existing marks. */
  isPlain?: boolean;
  error?: unknown;
}

/**
 * Opens the annotated PDF, or the files if there is no such PDF or they cannot be annotated, and closes them on
 * unmount.
 */
export function useSheets(annotatedUrl: string | null, files: { url: string }[]) {
  // Signatures change with each response, but the signed paths do not.
  const key = [annotatedUrl ?? '', ...files.map(({ url }) => url)].map((url) => url.split('?')[0]).join(' ');
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<Opened>({ key: '' });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes when the files do
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let sheets: SheetDocument[] = [];
    const open = async (urls: string[]) => {
      for (const url of urls) sheets.push(await SheetDocument.open({ url }, signal));
      signal.throwIfAborted();
      return sheets;
    };
    const plain = files.map(({ url }) => url);
    const work =
      annotatedUrl === null
        ? open(plain).then((all) => setOpened({ key, sheets: all }))
        : open([annotatedUrl]).then(
            (all) => setOpened({ key, sheets: all }),
            (error: unknown) => {
              if (!cannotBeAnnotated(error)) throw error;
              return open(plain).then((all) => setOpened({ key, sheets: all, isPlain: true }));
            },
          );
    work.catch((error: unknown) => {
      if (!signal.aborted) setOpened({ key, error });
    });
    return () => {
      controller.abort();
      for (const sheet of sheets) sheet.close();
      sheets = [];
    };
  }, [key, attempt]);

  const current = opened.key === key ? opened : { key };
  return { ...current, retry: () => setAttempt((before) => before + 1) } as Opened & { retry(): void };
}

/** Some files cannot be annotated. */
const cannotBeAnnotated = (error: unknown) => error instanceof ApiError && error.status === 409;
