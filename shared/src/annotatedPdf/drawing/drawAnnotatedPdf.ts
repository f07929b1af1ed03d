import type { Pdfium } from '../../files/pdfium.ts';
import type { Annotation, GradeSummary } from '../annotation.ts';
import { embedFont } from '../text/embeddedFont.ts';
import { FontSet } from '../text/fontSet.ts';
import { drawable } from '../text/textLayout.ts';
import { drawMark } from './marks.ts';
import { MergedPdf } from './mergedPdf.ts';
import { PageCanvas } from './pageCanvas.ts';
import { type OpenPdf, PdfFiles, RefusedPdf } from './pdfFiles.ts';
import { flattenAnnotations, geometryOf } from './pdfPages.ts';
import { drawSummary, summaryWords } from './summaryPage.ts';

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
 * Writes one PDF of all files to an open file, with their annotations drawn on the pages, and the summary as its last page.
 * Pages without annotations stay as they are. Returns the size of the PDF.
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
  const drawing: Drawing = { pdfium, files, fonts };
  const merged = new MergedPdf(pdfium.library, files, { output, maxHeldBytes });
  const ofFile = Map.groupBy(task.annotations, ({ file_id: file }) => file);
  // Drawn on one after the other, because PDFium reads all of a file for that.
  for (const { id, path } of task.files) {
    const pdf = files.open({ path });
    drawMarks(drawing, pdf, ofFile.get(id) ?? [], task.summary);
    merged.append(pdf);
    ofFile.delete(id);
  }
  if (ofFile.size > 0) throw new RefusedPdf('damaged');
  if (task.summary) merged.append(drawLastPage(drawing, task.summary));
  return merged.finish();
}

interface Drawing {
  pdfium: Pdfium;
  files: PdfFiles;
  fonts: FontSet;
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

function drawMarks(
  { pdfium, files, fonts }: Drawing,
  { document, pages }: OpenPdf,
  annotations: Annotation[],
  summary: GradeSummary | null,
): void {
  if (annotations.length === 0) return;
  const marked = [...Map.groupBy(annotations, ({ page }) => page)].map(([page, marks]) => {
    if (page < 1 || page > pages) throw new RefusedPdf('damaged');
    const geometry = files.guard(() => geometryOf(pdfium, document, page - 1));
    return { page, shapes: marks.flatMap((mark) => drawMark(fonts, mark, geometry, summary?.rubric)) };
  });
  const canvas = openCanvas(pdfium, files, fonts, document);
  for (const { page, shapes } of marked)
    files.guard(() => {
      const loaded = pdfium.library.FPDF_LoadPage(document, page - 1);
      if (loaded === 0) throw new RefusedPdf('damaged');
      flattenAnnotations(pdfium.library, loaded);
      canvas.draw(loaded, shapes);
      pdfium.library.FPDF_ClosePage(loaded);
    });
}

function drawLastPage({ pdfium, files, fonts }: Drawing, summary: GradeSummary): OpenPdf {
  const { width, height, shapes } = drawSummary(fonts, summary);
  return files.create((document) => {
    const canvas = openCanvas(pdfium, files, fonts, document);
    const page = pdfium.library.FPDFPage_New(document, 0, width, height);
    canvas.draw(page, shapes);
    pdfium.library.FPDF_ClosePage(page);
  });
}

// Called when all shapes of a document are known. A font also has the glyphs of earlier documents, as their numbers go on.
function openCanvas(pdfium: Pdfium, files: PdfFiles, fonts: FontSet, document: number): PageCanvas {
  const embedded = fonts.used.map((face, index) => [face, embedFont(face, index)] as const);
  return files.guard(() => new PageCanvas(pdfium, document, embedded));
}
