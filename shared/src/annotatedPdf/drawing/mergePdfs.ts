import type { Pdfium } from '../../files/pdfium.ts';
import { type OpenPdf, type Outputs, type PdfFiles, RefusedPdf } from './pdfFiles.ts';

interface MergedPdfs {
  pdf: OpenPdf;
  /** Of each file, its first page in the PDF and the number of its pages. */
  ranges: { first: number; pages: number }[];
  /** The output that the PDF is not read from. */
  freeOutput: 0 | 1;
}

/**
 * Appends the pages of the other files to the first one. PDFium copies appended pages into its memory, so after
 * `maxMergedBytes` the PDF is written, and opened again from there.
 * @throws RefusedPdf
 */
export function mergePdfs(
  { library }: Pdfium,
  files: PdfFiles,
  [first = '', ...others]: readonly string[],
  outputs: Outputs,
  maxMergedBytes: number,
): MergedPdfs {
  let pdf = files.open({ path: first });
  let freeOutput: 0 | 1 = 0;
  let mergedBytes = 0;
  const ranges = [{ first: 0, pages: pdf.pages }];
  for (const path of others) {
    const other = files.open({ path });
    if (mergedBytes > 0 && mergedBytes + other.size > maxMergedBytes) {
      const size = files.save(pdf.document, outputs[freeOutput]);
      pdf.close();
      pdf = files.open({ descriptor: outputs[freeOutput], size });
      freeOutput = freeOutput === 0 ? 1 : 0;
      mergedBytes = 0;
    }
    const end = pdf.pages;
    if (!files.guard(() => library.FPDF_ImportPagesByIndex(pdf.document, other.document, 0, 0, end)))
      throw new RefusedPdf('damaged');
    ranges.push({ first: end, pages: other.pages });
    pdf.pages += other.pages;
    mergedBytes += other.size;
    other.close();
  }
  return { pdf, ranges, freeOutput };
}
