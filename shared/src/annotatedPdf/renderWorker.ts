// Entry point of the processes that pdfRenderer.ts starts, one per PDF. The argument is the memory limit in bytes; file
// descriptors 4 and 5 are the outputs.
import { startPdfium } from '../files/pdfium.ts';
import { type Refusal, RefusedPdf } from './rendering/refusedPdf.ts';
import { type RenderTask, renderAnnotatedPdf } from './rendering/renderAnnotatedPdf.ts';

export type RenderResponse =
  | { size: number }
  | { refused: Refusal }
  | { failed: string; code: string | undefined };

const maxMemoryBytes = Number(process.argv[2]);
const outputs = { merged: 4, document: 5 };

process.on('disconnect', () => process.exit());
// The terminal signals the whole process group, but the service needs its workers until it has drained.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

const pdfium = await startPdfium(maxMemoryBytes);
process.on('message', (task: RenderTask) => void render(task).then((answer) => process.send?.(answer)));
process.send?.('ready');

async function render(task: RenderTask): Promise<RenderResponse> {
  try {
    return { size: await renderAnnotatedPdf(pdfium, task, outputs) };
  } catch (error) {
    if (error instanceof RefusedPdf) return { refused: error.refusal };
    const { code, stack } = error as NodeJS.ErrnoException;
    return { failed: stack ?? String(error), code };
  }
}
