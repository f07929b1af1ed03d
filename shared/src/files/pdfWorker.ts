// The process that opens PDFs. pdfProcess.ts starts it, with the memory limit in bytes as its argument.
import { type PdfEngine, type PdfOpening, preparePdfEngine } from './pdfEngine.ts';

/** `worn` is a process that has used memory that it may not give back. */
export type PdfAnswer = { opening: PdfOpening; worn: boolean } | { failed: string };

const maxMemoryBytes = Number(process.argv[2]);
const reusableUpToBytes = 64 * 1024 * 1024;

process.on('disconnect', () => process.exit());
// A signal of the terminal reaches the whole group: the service drains first and ends its workers itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

let engine: Promise<PdfEngine> | undefined = preparePdfEngine(maxMemoryBytes);
process.on('message', ({ path }: { path: string }) => void answer(path).then(replaceEngine));
await engine;
process.send?.('ready');

async function answer(path: string): Promise<void> {
  if (engine) process.send?.(open(await engine, path));
}

// Nothing of one file remains in memory for the next one, whatever it did to PDFium.
function replaceEngine(): void {
  engine = undefined;
  globalThis.gc?.();
  engine = preparePdfEngine(maxMemoryBytes);
}

function open(engine: PdfEngine, path: string): PdfAnswer {
  try {
    return { opening: engine.open(path), worn: engine.memoryBytes() > reusableUpToBytes };
  } catch (error) {
    return { failed: String(error) };
  }
}
