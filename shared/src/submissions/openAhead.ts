import { readAtOnceBytes } from './openVerified.ts';

const filesAhead = 4;

/** A file and what `open` returned for it. */
export interface OpenedFile<File, Content> {
  file: File;
  /** Rejects when the file could not be opened. */
  content(): Promise<Content>;
}

/**
 * Opens files in their order. Up to four files of at most 1 MiB are opened while earlier ones are in use, which hides the
 * latency of the store. A larger file is opened only when its content is requested, because an open file might wait too
 * long for its reader.
 */
export async function* openAhead<File extends { size: number }, Content>(
  files: AsyncIterable<File>,
  open: (file: File) => Promise<Content>,
): AsyncGenerator<OpenedFile<File, Content>, void, void> {
  const waiting: OpenedFile<File, Content>[] = [];
  for await (const file of files) {
    waiting.push(opened(file, open));
    if (waiting.length > filesAhead) yield waiting.shift() as OpenedFile<File, Content>;
  }
  yield* waiting;
}

function opened<File extends { size: number }, Content>(
  file: File,
  open: (file: File) => Promise<Content>,
): OpenedFile<File, Content> {
  if (file.size > readAtOnceBytes) return { file, content: () => open(file) };
  const content = open(file);
  // The reader of this file gets the error. If it ends earlier, the rejection must not end the process.
  content.catch(() => {});
  return { file, content: () => content };
}
