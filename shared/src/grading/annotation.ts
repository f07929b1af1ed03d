import type { PageSize } from '../files/pdfEngine.ts';

/** The kinds of marks on a page. */
export const annotationKinds = ['pen', 'highlight', 'text', 'check', 'cross', 'point'] as const;

/** A grader's mark on a page. Coordinates are PDF points from the lower left corner of the page's MediaBox. */
export interface Annotation {
  /** A UUID, unique in the list. */
  id: string;
  fileId: number;
  /** From 1. */
  page: number;
  kind: (typeof annotationKinds)[number];
  rect: [x: number, y: number, width: number, height: number];
  points: [x: number, y: number][] | null;
  text: string | null;
  /** `#rrggbb`. */
  color: string | null;
  /** The item of the rubric that the mark explains. */
  itemId: number | null;
}

/** A file of a submission, with the sizes of its pages. */
interface AnnotatableFile {
  id: number;
  name: string;
  sizes: PageSize[];
}

/**
 * Returns errors for the positions of annotations: each must be inside a page of a current file of the submission. `replaced`
 * are the earlier files of the submission.
 */
export function placeErrors(
  annotations: Annotation[],
  files: AnnotatableFile[],
  replaced: { id: number; name: string }[],
): string[] {
  const fileOf = new Map(files.map((file) => [file.id, file]));
  const replacedName = new Map(replaced.map(({ id, name }) => [id, name]));
  return annotations.flatMap(({ fileId, page, rect, points }, index) => {
    const name = replacedName.get(fileId);
    const at = `annotations.${index}`;
    if (name !== undefined)
      return [`The ${at} is on the file ${fileId} (${name}), which was replaced or removed.`];
    const file = fileOf.get(fileId);
    if (!file) return [`The ${at} is on the file ${fileId}, which does not belong to the submission.`];
    const size = file.sizes[page - 1];
    if (!size) return [`The ${at} is on page ${page} of ${file.name}, which has ${file.sizes.length} pages.`];
    return isInside(size, rect, points ?? []) ? [] : [`The ${at} is outside page ${page} of ${file.name}.`];
  });
}

// PDFium measures pages in single precision.
const tolerance = 0.01;

/** Whether a rectangle and its points are inside a page. */
export function isInside(
  [width, height]: PageSize,
  rect: Annotation['rect'],
  points: [number, number][] = [],
): boolean {
  const [x, y, w, h] = rect;
  const corners: [number, number][] = [[x, y], [x + w, y + h], ...points];
  return corners.every(
    ([left, up]) =>
      left >= -tolerance && up >= -tolerance && left <= width + tolerance && up <= height + tolerance,
  );
}
