import type { Pdfium } from '../../files/pdfium.ts';
import type { Annotation, GradeSummary } from '../annotation.ts';
import { embedFont } from '../text/embeddedFont.ts';
import { FontSet } from '../text/fontSet.ts';
import { drawable } from '../text/textLayout.ts';
import { drawMark, type PageGeometry } from './marks.ts';
import { mergePdfs } from './mergePdfs.ts';
import { PageCanvas } from './pageCanvas.ts';
import { type Outputs, PdfFiles, RefusedPdf } from './pdfFiles.ts';
import { flattenAnnotations, geometryOf } from './pdfPages.ts';
import type { Shape } from './shapes.ts';
import { drawSummary, type SummaryPage, summaryWords } from './summaryPage.ts';

/** What is drawn. */
export interface DrawingTask {
  /** In their order in the PDF. */
  files: { id: number; path: string }[];
  annotations: readonly Annotation[];
  /** The last page; none without it. */
  summary: GradeSummary | null;
}

export interface WrittenPdf {
  output: 0 | 1;
  size: number;
  pages: number;
}

// Characters that no annotation needs to contain: digits and signs of points, and the end of a text that is cut.
const ownText = '0123456789+\u2212./ …';

/**
 * Writes one PDF of all files, with their annotations drawn on the pages, and the summary as its last page. Pages without
 * annotations stay as they are.
 * @throws RefusedPdf
 */
export async function drawAnnotatedPdf(
  pdfium: Pdfium,
  task: DrawingTask,
  outputs: Outputs,
  maxMergedBytes: number,
): Promise<WrittenPdf> {
  const files = new PdfFiles(pdfium);
  const fonts = new FontSet();
  await fonts.prepare(textsOf(task));
  const paths = task.files.map(({ path }) => path);
  const { pdf, ranges, freeOutput } = mergePdfs(pdfium, files, paths, outputs, maxMergedBytes);

  const marked = drawMarks(
    fonts,
    task,
    new Map(task.files.map(({ id }, index) => [id, ranges[index]])),
    (page) => files.guard(() => geometryOf(pdfium, pdf.document, page)),
  );
  const summary = task.summary && drawSummary(fonts, task.summary);
  const canvas = new PageCanvas(pdfium, pdf.document);
  for (const [index, face] of fonts.used.entries()) {
    const font = embedFont(face, index);
    files.guard(() => canvas.embed(face, font));
  }
  for (const [page, shapes] of marked)
    files.guard(() => drawOnPage(pdfium, canvas, pdf.document, page, shapes));
  if (summary) files.guard(() => addPage(pdfium, canvas, pdf.document, pdf.pages, summary));

  const size = files.save(pdf.document, outputs[freeOutput]);
  pdf.close();
  const pages = requireWritten(files, outputs[freeOutput], size, pdf.pages + (summary ? 1 : 0));
  return { output: freeOutput, size, pages };
}

function* textsOf({ annotations, summary }: DrawingTask): Generator<string> {
  yield ownText;
  for (const { text } of annotations) if (text) yield* paragraphs(text);
  if (!summary) return;
  yield* summaryWords;
  yield* [summary.title, summary.student ?? '', summary.comment ?? ''].flatMap(paragraphs);
  const { grade, rubric } = summary;
  if (grade) yield* [grade.points, `/ ${grade.total}`];
  for (const { text, explanation, group, points } of rubric?.lines ?? [])
    yield* [text, explanation ?? '', group ?? '', points].flatMap(paragraphs);
  if (rubric?.adjustment) yield rubric.adjustment;
}

const paragraphs = (text: string): string[] => drawable(text).split('\n');

/** The shapes of each page with annotations. */
function drawMarks(
  fonts: FontSet,
  { annotations, summary }: DrawingTask,
  ranges: Map<number, { first: number; pages: number } | undefined>,
  geometryOfPage: (page: number) => PageGeometry,
): Map<number, Shape[]> {
  const byPage = Map.groupBy(annotations, ({ file_id: file, page }) => {
    const range = ranges.get(file);
    if (!range || page < 1 || page > range.pages) throw new RefusedPdf('damaged');
    return range.first + page - 1;
  });
  return new Map(
    [...byPage].map(([page, marks]) => {
      const geometry = geometryOfPage(page);
      return [page, marks.flatMap((mark) => drawMark(fonts, mark, geometry, summary?.rubric))];
    }),
  );
}

function drawOnPage(
  { library }: Pdfium,
  canvas: PageCanvas,
  document: number,
  index: number,
  shapes: Shape[],
): void {
  flattenAnnotations(library, document, index);
  const page = library.FPDF_LoadPage(document, index);
  if (page === 0) throw new RefusedPdf('damaged');
  canvas.draw(page, shapes);
  library.FPDF_ClosePage(page);
}

function addPage(
  { library }: Pdfium,
  canvas: PageCanvas,
  document: number,
  index: number,
  { width, height, shapes }: SummaryPage,
): void {
  const page = library.FPDFPage_New(document, index, width, height);
  if (page === 0) throw new RefusedPdf('damaged');
  canvas.draw(page, shapes);
  library.FPDF_ClosePage(page);
}

/** What was written must be a PDF again. */
function requireWritten(files: PdfFiles, descriptor: number, size: number, pages: number): number {
  const written = files.open({ descriptor, size });
  written.close();
  if (written.pages !== pages) throw new RefusedPdf('damaged');
  return pages;
}
