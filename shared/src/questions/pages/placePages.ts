import type { Answer, AnswerPage } from '../answer.ts';
import type { GivenPage } from './pagesSchema.ts';

interface MeasuredFile {
  id: number;
  sizes: unknown[];
}

/** The pages of each answer, or messages about entries that do not exist in the submission. */
type Placed = { pagesOf: Map<number, AnswerPage[]>; errors: string[] };

/**
 * Assigns pages to the answers of a submission. Answers that are not named get no pages. A repeated page counts once.
 */
export function placePages(
  given: GivenPage[],
  answers: Pick<Answer, 'questionId'>[],
  files: MeasuredFile[],
): Placed {
  const pagesOf = new Map(answers.map(({ questionId }): [number, AnswerPage[]] => [questionId, []]));
  const errors = new Set<string>();
  for (const { questionId, fileId, page } of given) {
    const pages = pagesOf.get(questionId);
    const file = fileId === null ? onlyOne(files) : files.find(({ id }) => id === fileId);
    if (!pages) errors.add(`There is no question ${questionId}.`);
    else if (!file) errors.add(fileId === null ? 'The file is missing.' : `There is no file ${fileId}.`);
    else if (page > file.sizes.length) errors.add(`The file ${file.id} has no page ${page}.`);
    else if (!pages.some((other) => other.fileId === file.id && other.page === page))
      pages.push({ fileId: file.id, page });
  }
  return { pagesOf, errors: [...errors] };
}

const onlyOne = (files: MeasuredFile[]): MeasuredFile | undefined =>
  files.length === 1 ? files[0] : undefined;
