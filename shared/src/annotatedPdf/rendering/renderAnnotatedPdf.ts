import type { Pdfium } from '../../files/pdfium.ts';
import type { GradeSummary, Mark } from '../mark.ts';
import { FontSet } from '../text/fontSet.ts';
import { drawable } from '../text/textLayout.ts';
import { drawMark } from './marks.ts';
import { MergedPdf, type PdfOutputs } from './mergedPdf.ts';
import { PageCanvas } from './pageCanvas.ts';
import { PdfFiles } from './pdfFiles.ts';
import { countAnnotations, geometryOf, withPage } from './pdfPages.ts';
import { RefusedPdf } from './refusedPdf.ts';
import { drawSummary, summaryWords } from './summaryPage.ts';

/** The content to render. */
export interface RenderTask {
  /** In PDF order. */
  files: { id: number; path: string }[];
  marks: readonly Mark[];
  /** Content of the last page; null omits the page. */
  summary: GradeSummary | null;
}

// Characters drawn even if no text contains them: digits and signs of points, and the ellipsis of cut text.
const ownText = '0123456789+\u2212./ …';

/**
 * Writes one PDF of all files to an open file, with their marks drawn on the pages and the summary as the last page.
 * The PDF contains only the visible content of the files. Returns its size.
 * @throws RefusedPdf
 */
export async function renderAnnotatedPdf(
  pdfium: Pdfium,
  task: RenderTask,
  outputs: PdfOutputs,
): Promise<number> {
  const fonts = new FontSet();
  await fonts.prepare(textsOf(task));
  const files = new PdfFiles(pdfium);
  const merged = new MergedPdf(pdfium.library, files, outputs);
  const rendering = { pdfium, fonts, canvas: new PageCanvas(pdfium, fonts), summary: task.summary };
  const ofFile = Map.groupBy(task.marks, ({ fileId }) => fileId);
  for (const { id, path } of task.files) {
    const file = files.open({ path });
    const pages = files.countPages(file);
    files.guard(() => drawPages(rendering, file.document, pages, ofFile.get(id) ?? []));
    merged.append(file);
    file.close();
    ofFile.delete(id);
  }
  if (ofFile.size > 0) throw new RefusedPdf('damaged');
  const { summary } = task;
  if (summary) {
    const last = files.create();
    files.guard(() => drawLastPage(rendering, last.document, summary));
    merged.append(last);
    last.close();
  }
  return merged.finish();
}

interface Rendering {
  pdfium: Pdfium;
  canvas: PageCanvas;
  fonts: FontSet;
  summary: GradeSummary | null;
}

function* textsOf({ marks, summary }: RenderTask): Generator<string> {
  yield ownText;
  for (const { text } of marks) if (text) yield* paragraphs(text);
  if (!summary) return;
  yield* summaryWords;
  yield* [summary.title, summary.student ?? '', summary.comment ?? ''].flatMap(paragraphs);
  const { grade, rubric } = summary;
  if (grade) yield* [grade.points, `/ ${grade.total}`];
  for (const { text, explanation, group, points } of rubric?.lines ?? [])
    yield* [text, explanation ?? '', group ?? '', points].flatMap(paragraphs);
  if (rubric?.adjustment) yield rubric.adjustment;
  for (const question of summary.questions ?? []) {
    const { label, title, points, maxPoints, items, comment } = question;
    yield* [label, title ?? '', points ?? '–', `/ ${maxPoints}`, comment ?? ''].flatMap(paragraphs);
    for (const item of items) yield* [item.text, item.points].flatMap(paragraphs);
  }
}

const paragraphs = (text: string): string[] => drawable(text).split('\n');

/** Draws the marks of a file and flattens all annotations into its pages. */
function drawPages(
  { pdfium, canvas, fonts, summary }: Rendering,
  document: number,
  pages: number,
  marks: Mark[],
): void {
  if (marks.some(({ page }) => page < 1 || page > pages)) throw new RefusedPdf('damaged');
  const ofPage = Map.groupBy(marks, ({ page }) => page - 1);
  const drawn = Array.from({ length: pages }, (_, index) => index)
    .filter((index) => ofPage.has(index) || countAnnotations(pdfium, document, index) > 0)
    .map((index) => {
      const geometry = geometryOf(pdfium, document, index);
      const shapes = (ofPage.get(index) ?? []).flatMap((mark) =>
        drawMark(fonts, mark, geometry, summary?.rubric),
      );
      return { index, geometry, shapes };
    });
  if (marks.length > 0) canvas.startDocument(document);
  for (const { index, geometry, shapes } of drawn)
    withPage(pdfium, document, index, (page) => canvas.draw(page, geometry, shapes));
}

function drawLastPage({ pdfium, canvas, fonts }: Rendering, document: number, summary: GradeSummary): void {
  const { width, height, shapes } = drawSummary(fonts, summary);
  canvas.startDocument(document);
  pdfium.library.FPDF_ClosePage(pdfium.library.FPDFPage_New(document, 0, width, height));
  const geometry = geometryOf(pdfium, document, 0);
  withPage(pdfium, document, 0, (page) => canvas.draw(page, geometry, shapes));
}
