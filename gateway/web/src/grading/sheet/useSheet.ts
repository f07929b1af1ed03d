import { useEffect, useState } from 'react';
import { SheetDocument } from '../../shared/sheet/sheetDocument.ts';

/** Opens the file of a signed URL, and closes it when it is no longer shown. A new `attempt` opens it again. */
export function useSheet(url: string, attempt: number) {
  const [opened, setOpened] = useState<{ sheet?: SheetDocument; error?: unknown }>({});
  // A renewed signature does not change the file.
  const file = url.split('?')[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the file changes and on a retry
  useEffect(() => {
    const controller = new AbortController();
    let sheet: SheetDocument | undefined;
    setOpened({});
    SheetDocument.open({ url }, controller.signal).then(
      (found) => {
        if (controller.signal.aborted) return found.close();
        sheet = found;
        setOpened({ sheet });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setOpened({ error });
      },
    );
    return () => {
      controller.abort();
      sheet?.close();
    };
  }, [file, attempt]);
  return opened;
}
