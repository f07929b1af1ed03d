// Entry point of the processes that pdfProcess.ts starts. The argument is the memory limit in bytes.
import { type PageSize, type PdfEngine, type PdfOpening, preparePdfEngine } from './pdfEngine.ts';

/** `measures` also requests the sizes of the pages. */
export interface PdfTask {
  path: string;
  measures: boolean;
}

/** `worn`: the process holds memory that it may never return to the system. */
export type PdfAnswer = { opening: PdfOpening; sizes: PageSize[]; worn: boolean } | { failed: string };

const maxMemoryBytes = Number(process.argv[2]);
const reusableUpToBytes = 64 * 1024 * 1024;

process.on('disconnect', () => process.exit());
// The terminal signals the whole process group, but the service needs its workers until it has drained.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

let engine: Promise<PdfEngine> | undefined = preparePdfEngine(maxMemoryBytes);
process.on('message', (task: PdfTask) => void answer(task));
await engine;
process.send?.('ready');

// PDFium is reset after the response, so that no upload waits for the reset and every file finds PDFium in its initial
// state.
async function answer(task: PdfTask): Promise<void> {
  if (!engine) return;
  const current = await engine;
  process.send?.(open(current, task));
  if (current.reset()) return;
  engine = undefined;
  globalThis.gc?.();
  engine = preparePdfEngine(maxMemoryBytes);
}

function open(engine: PdfEngine, { path, measures }: PdfTask): PdfAnswer {
  const sizes: PageSize[] = [];
  try {
    const opening = engine.open(path, measures ? sizes : undefined);
    return { opening, sizes, worn: engine.memoryBytes() > reusableUpToBytes };
  } catch (error) {
    return { failed: String(error) };
  }
}
