import type { Pdfium } from '../../files/pdfium.ts';
import type { Annotation, GradeSummary } from '../annotation.ts';
import { embedFont } from '../text/embeddedFont.ts';
import { FontSet } from '../text/fontSet.ts';
import { drawable } from '../text/textLayout.ts';
import { drawMark, type PageGeometry } from './marks.ts';
import { PageCanvas } from './pageCanvas.ts';
import { type Outputs, PdfFiles, RefusedPdf } from './pdfFiles.ts';
import { flattenAnnotations, geometryOf } from './pdfPages.ts';
import type { Shape } from './shapes.ts';
import { drawSummary, type SummaryPage, summaryWords } from './summaryPage.ts';
import { type PageRange, WorkingPdf, type WrittenPdf } from './workingPdf.ts';

/** What is drawn. */
export interface DrawingTask {
  /** In their order in the PDF. */
  files: { id: number; path: string }[];
  annotations: readonly Annotation[];
  /** The last page; none without it. */
  summary: GradeSummary | null;
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
  maxHeldBytes: number,
): Promise<WrittenPdf> {
  const files = new PdfFiles(pdfium);
  const fonts = new FontSet();
  await fonts.prepare(textsOf(task));
  const [first, ...others] = task.files;
  if (!first) throw new Error('there is no file to draw on');
  const pdf = new WorkingPdf(pdfium, files, first.path, { outputs, maxHeldBytes });
  const ranges = new Map([[first.id, { first: 0, pages: pdf.pages }]]);
  for (const { id, path } of others) ranges.set(id, pdf.append(path));

  const marked = drawMarks(fonts, task, ranges, (page) =>
    files.guard(() => geometryOf(pdfium, pdf.document, page)),
  );
  const summary = task.summary && drawSummary(fonts, task.summary);
  const embedded = fonts.used.map((face, index) => [face, embedFont(face, index)] as const);
  const openCanvas = () => files.guard(() => new PageCanvas(pdfium, pdf.document, embedded));
  let canvas = openCanvas();
  for (const [page, shapes] of marked) {
    if (pdf.relieve()) canvas = openCanvas();
    files.guard(() => drawOnPage(pdfium, canvas, pdf.document, page, shapes));
  }
  if (summary) files.guard(() => addPage(pdfium, canvas, pdf, summary));
  return pdf.finish();
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
  ranges: ReadonlyMap<number, PageRange>,
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
  const page = library.FPDF_LoadPage(document, index);
  if (page === 0) throw new RefusedPdf('damaged');
  flattenAnnotations(library, page);
  canvas.draw(page, shapes);
  library.FPDF_ClosePage(page);
}

function addPage(
  { library }: Pdfium,
  canvas: PageCanvas,
  pdf: WorkingPdf,
  { width, height, shapes }: SummaryPage,
): void {
  const page = library.FPDFPage_New(pdf.document, pdf.pages, width, height);
  if (page === 0) throw new RefusedPdf('damaged');
  canvas.draw(page, shapes);
  library.FPDF_ClosePage(page);
  pdf.pages += 1;
}
