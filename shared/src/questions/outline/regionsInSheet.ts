import { invalid } from '../../errors/appError.ts';
import { isInside } from '../../grading/annotation.ts';
import type { DetailFile } from '../../grading/detailRepository.ts';
import type { Pages } from '../../grading/pages.ts';
import type { GivenOutline } from './outlineSchema.ts';
import type { QuestionSheets } from './questionSheets.ts';

interface Dependencies {
  sheets: QuestionSheets;
  pages: Pages;
}

/** Requires that regions are inside the pages of the question PDF, if the item has one. @throws AppError `invalid` */
export async function requireRegionsInSheet(
  { sheets, pages }: Dependencies,
  itemId: number,
  { questions }: GivenOutline,
  userId: number,
): Promise<void> {
  if (questions.every(({ region }) => region === null)) return;
  const sheet: DetailFile | undefined = await sheets.find(itemId);
  if (!sheet) return;
  const [measured] = await pages.measured([sheet], userId);
  const sizes = measured?.sizes ?? [];
  // A file that cannot be read has no pages to compare with.
  if (sizes.length === 0) return;
  const errors = questions.flatMap(({ label, region }) => {
    if (!region) return [];
    const { page, rect } = region;
    const size = sizes[page - 1];
    if (!size)
      return [
        `The region of ${label} is on page ${page} of the question PDF, which has ${sizes.length} pages.`,
      ];
    return isInside(size, rect)
      ? []
      : [`The region of ${label} is outside page ${page} of the question PDF.`];
  });
  if (errors.length > 0) throw invalid({ questions: errors });
}
