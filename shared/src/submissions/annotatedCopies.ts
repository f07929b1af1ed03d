import { annotatedSubmission } from '../annotatedPdf/annotatedSubmission.ts';
import type { PdfRenderer, RenderedPdf } from '../annotatedPdf/pdfRenderer.ts';
import { AppError } from '../errors/appError.ts';
import type { DetailRepository } from '../grading/detailRepository.ts';

/** Renders an annotated copy of a submitted file, which is not cached. Returns undefined if the file cannot be annotated. */
export type RenderCopy = (file: { id: number; submissionId: number }) => Promise<RenderedPdf | undefined>;

interface Dependencies {
  details: Pick<DetailRepository, 'findWithNames'>;
  renderer: PdfRenderer;
}

/**
 * Returns a function that renders copies with the marks of their file and the last page of their submission. The archives of
 * administrators name the students of anonymous items too.
 */
export const createCopies =
  ({ details, renderer }: Dependencies): RenderCopy =>
  async ({ id, submissionId }) => {
    const submission = annotatedSubmission(await details.findWithNames(submissionId));
    const files = submission?.files.filter((file) => file.id === id) ?? [];
    // The file has been replaced since the list was read.
    if (!submission || files.length === 0) return undefined;
    try {
      const marks = submission.marks.filter(({ fileId }) => fileId === id);
      return await renderer.render({ ...submission, files, marks });
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') return undefined;
      throw error;
    }
  };
