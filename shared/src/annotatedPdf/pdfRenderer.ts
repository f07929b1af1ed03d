import { fileURLToPath } from 'node:url';
import type { Span } from '@opentelemetry/api';
import { AppError, notFound, unavailable } from '../errors/appError.ts';
import { annotatedFileName } from '../files/cleanFileName.ts';
import { ConfinedProcess, type ProcessLimits } from '../files/confinedProcess.ts';
import type { FileLibrary, LibraryFile } from '../files/fileLibrary.ts';
import { FileMissingError } from '../files/fileStore.ts';
import type { ReceivedFile } from '../files/receiveForm.ts';
import type { Logger } from '../process/logger.ts';
import { Semaphore } from '../process/semaphore.ts';
import { errorTypeOf, failSpan, inChildSpan } from '../tracing/span.ts';
import type { GradeSummary, Mark } from './mark.ts';
import { RenderFiles } from './renderFiles.ts';
import type { RenderTask } from './rendering/renderAnnotatedPdf.ts';
import { measurePdfRendering, type RenderOutcome } from './renderMetrics.ts';
import type { RenderResponse } from './renderWorker.ts';

/** The content of an annotated PDF. */
export interface RenderRequest {
  /** The student who submitted. */
  studentId: number;
  /** In PDF order; at least one. */
  files: readonly LibraryFile[];
  marks: readonly Mark[];
  /** Content of the last page; null omits the page. */
  summary: GradeSummary | null;
}

/** A rendered PDF in the upload directory. Disposing it deletes the file, unless it has been moved. */
export type RenderedPdf = ReceivedFile & AsyncDisposable;

export interface PdfRenderer {
  /**
   * Renders one PDF of all files, with the marks drawn on their pages, in a process with the limits of a PDF check.
   * Renders for one student run one at a time.
   * @throws AppError `conflict` when a file cannot be rewritten or exceeds the limits, `not_found` when the store does
   * not have it, `unavailable` when rendering fails for another reason
   */
  render(request: RenderRequest): Promise<RenderedPdf>;
  close(): void;
}

interface Options extends ProcessLimits {
  log: Logger;
  files: Pick<FileLibrary, 'open'>;
  /** Directory of temporary files: copies of the stored files, and the rendered PDF. */
  directory: string;
  /** The slots of the PDF checks. All renders count as one user, which leaves a slot for uploads. */
  slots: Semaphore;
}

const script = fileURLToPath(new URL('./renderWorker.js', import.meta.url));
const renderingUser = 0;
const spareBytes = 64 * 1024 * 1024;
const maxPerStudent = 1;

export function createPdfRenderer({ log, files, directory, slots, ...limits }: Options): PdfRenderer {
  const running = new Set<ConfinedProcess<RenderResponse>>();
  // The shared slots serve renders in order of arrival. Without this limit, a student with many requests would delay
  // all others.
  const students = new Semaphore({ slots: Number.POSITIVE_INFINITY, perUser: maxPerStudent });
  let isClosed = false;

  async function write(request: RenderRequest, temporary: RenderFiles): Promise<RenderedPdf | RenderOutcome> {
    const { marks, summary } = request;
    const task: RenderTask = { files: [], marks, summary };
    for (const file of request.files)
      task.files.push({ id: file.id, path: await temporary.copy(await files.open(file)) });
    const [output, document] = [await temporary.output(), await temporary.output()];
    if (isClosed) throw new Error('the PDF renderer is closed');
    const process = new ConfinedProcess<RenderResponse>(limits, {
      script,
      output: {
        descriptors: [output.handle.fd, document.handle.fd],
        maxBytes: 2 * request.files.reduce((sum, { size }) => sum + size, spareBytes),
      },
    });
    running.add(process);
    try {
      const answer = await process.ask(task);
      if (answer === 'timeout' || answer === 'out_of_memory') return answer;
      if ('failed' in answer) throw Object.assign(new Error(answer.failed), { code: answer.code });
      if ('refused' in answer) return answer.refused;
      const hashed = await temporary.finish(output, answer.size);
      const name = nameOf(request.files);
      return { ...hashed, name, [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose]() };
    } finally {
      running.delete(process);
      process.close();
    }
  }

  function reportRefusal(outcome: RenderOutcome, span: Span | undefined): void {
    span?.setAttribute('gradeway.pdf.refusal', outcome);
    if (outcome !== 'timeout' && outcome !== 'out_of_memory') return;
    log.warn({ outcome, ...limits }, 'PDF not annotated: rendering it exceeds the limits of a check');
    if (span) failSpan(span, outcome);
  }

  return {
    render: (request) =>
      inChildSpan('draw annotated PDF', {}, async (span) => {
        span?.setAttribute('gradeway.pdf.marks', request.marks.length);
        const measured = measurePdfRendering();
        const temporary = new RenderFiles(directory);
        try {
          const rendered = await students.run(request.studentId, () =>
            slots.run(renderingUser, () => {
              measured.started();
              return write(request, temporary);
            }),
          );
          measured.ended(typeof rendered === 'string' ? rendered : 'drawn');
          if (typeof rendered !== 'string') return rendered;
          reportRefusal(rendered, span);
        } catch (error) {
          measured.ended('failed');
          log.error({ err: error }, 'rendering an annotated PDF failed');
          if (span) failSpan(span, errorTypeOf(error));
          await temporary[Symbol.asyncDispose]();
          if (error instanceof FileMissingError) throw notFound();
          throw error instanceof AppError ? error : unavailable(error);
        }
        await temporary[Symbol.asyncDispose]();
        throw new AppError('conflict', 'The file cannot be annotated', { reason: 'file_not_annotatable' });
      }),
    close() {
      isClosed = true;
      for (const process of running) process.close();
    },
  };
}

const nameOf = ([first]: readonly LibraryFile[]): string => annotatedFileName(first?.name ?? 'file.pdf');
