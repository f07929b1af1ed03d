import type { Pdfium } from '../../files/pdfium.ts';
import type { GradeSummary, Mark } from '../mark.ts';
import { FontSet } from '../text/fontSet.ts';
import { drawable } from '../text/textLayout.ts';
import { drawMark } from './marks.ts';
import { MergedPdf, type PageRange } from './mergedPdf.ts';
import { PageCanvas } from './pageCanvas.ts';
import { PdfFiles, RefusedPdf } from './pdfFiles.ts';
import { geometryOf, withPage } from './pdfPages.ts';
import { drawSummary, summaryWords } from './summaryPage.ts';

/** The content to draw. */
export interface DrawingTask {
  /** In their order in the PDF. */
  files: { id: number; path: string }[];
  marks: readonly Mark[];
  /** The last page; none without it. */
  summary: GradeSummary | null;
}

// Characters that no mark needs to contain: digits and signs of points, and the end of a text that is cut.
const ownText = '0123456789+\u2212./ …';

/**
 * Writes one PDF of all files to an open file, with their marks drawn on the pages, and the summary as its last page.
 * Pages without marks stay as they are. Returns the size of the PDF.
 * @throws RefusedPdf
 */
export async function drawAnnotatedPdf(
  pdfium: Pdfium,
  task: DrawingTask,
  output: number,
  maxHeldBytes: number,
): Promise<number> {
  const fonts = new FontSet();
  await fonts.prepare(textsOf(task));
  const files = new PdfFiles(pdfium);
  const merged = new MergedPdf(pdfium.library, files, { output, maxHeldBytes });
  const canvas = new PageCanvas(pdfium, fonts);
  const ofFile = Map.groupBy(task.marks, ({ fileId }) => fileId);
  for (const { id, path } of task.files) {
    const range = merged.append(path);
    const marks = ofFile.get(id) ?? [];
    ofFile.delete(id);
    files.guard(() => drawMarks({ pdfium, canvas, fonts }, merged.document, range, marks, task.summary));
  }
  if (ofFile.size > 0) throw new RefusedPdf('damaged');
  const { summary } = task;
  if (summary) files.guard(() => addLastPage({ pdfium, canvas, fonts }, merged, summary));
  return merged.finish();
}

interface Drawing {
  pdfium: Pdfium;
  canvas: PageCanvas;
  fonts: FontSet;
}

function* textsOf({ marks, summary }: DrawingTask): Generator<string> {
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
}

const paragraphs = (text: string): string[] => drawable(text).split('\n');

function drawMarks(
  { pdfium, canvas, fonts }: Drawing,
  document: number,
  { first, pages }: PageRange,
  marks: Mark[],
  summary: GradeSummary | null,
): void {
  const marked = [...Map.groupBy(marks, ({ page }) => page)].map(([page, ofPage]) => {
    if (page < 1 || page > pages) throw new RefusedPdf('damaged');
    const index = first + page - 1;
    const geometry = geometryOf(pdfium, document, index);
    return {
      index,
      geometry,
      shapes: ofPage.flatMap((mark) => drawMark(fonts, mark, geometry, summary?.rubric)),
    };
  });
  if (marked.length > 0) canvas.startDocument(document);
  for (const { index, geometry, shapes } of marked)
    withPage(pdfium, document, index, (page) => canvas.draw(page, geometry, shapes));
}

function addLastPage({ pdfium, canvas, fonts }: Drawing, merged: MergedPdf, summary: GradeSummary): void {
  const { width, height, shapes } = drawSummary(fonts, summary);
  canvas.startDocument(merged.document);
  pdfium.library.FPDF_ClosePage(pdfium.library.FPDFPage_New(merged.document, merged.pages, width, height));
  const geometry = geometryOf(pdfium, merged.document, merged.pages);
  withPage(pdfium, merged.document, merged.pages, (page) => canvas.draw(page, geometry, shapes));
  merged.pages += 1;
}
