import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GradeSummary, Mark } from '@gradeway/shared/annotatedPdf/mark';
import { createPdfRenderer, type PdfRenderer } from '@gradeway/shared/annotatedPdf/pdfRenderer';
import type { FileLibrary, LibraryFile } from '@gradeway/shared/files/fileLibrary';
import { createPdfSlots } from '@gradeway/shared/files/pdfChecker';
import { createLogger } from '@gradeway/shared/process/logger';

interface Options {
  cpuSeconds?: number;
  memoryMb?: number;
  /** Opens a stored file. */
  open?: FileLibrary['open'];
}

/** A renderer of PDFs in one directory. */
export interface TestRenderer {
  renderer: PdfRenderer;
  /** The directory of temporary files; empty between renders. */
  uploads: string;
  /** Writes a PDF that can be annotated. */
  file(content: Buffer): Promise<LibraryFile>;
  /** Renders, and returns the path of the result. */
  render(files: LibraryFile[], marks: Mark[], summary?: GradeSummary | null): Promise<string>;
  close(): Promise<void>;
}

export async function openRenderer({
  cpuSeconds = 60,
  memoryMb = 192,
  open = async ({ key }) => createReadStream(key),
}: Options = {}): Promise<TestRenderer> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-render-'));
  const uploads = join(directory, 'uploads');
  await mkdir(uploads);
  let count = 0;
  const newPath = () => {
    count += 1;
    return join(directory, `${count}.pdf`);
  };
  const renderer = createPdfRenderer({
    log: createLogger('test', 'silent'),
    files: { open },
    directory: uploads,
    slots: createPdfSlots(1),
    cpuSeconds,
    memoryMb,
  });
  return {
    renderer,
    uploads,
    async file(content) {
      const path = newPath();
      await writeFile(path, content);
      const { size } = await stat(path);
      return { id: count, key: path, name: `answer ${count}.pdf`, size, sha256: '', crc32: 0 };
    },
    async render(files, marks, summary = null) {
      await using rendered = await renderer.render({ studentId: 1, files, marks, summary });
      const path = newPath();
      await copyFile(rendered.path, path);
      return path;
    },
    async close() {
      renderer.close();
      await rm(directory, { recursive: true });
    },
  };
}
