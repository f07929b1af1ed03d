import type { Answer, AnswerPage } from '../answer.ts';

export const serializeAnswerPages = (pages: AnswerPage[]) =>
  pages.map(({ fileId, page }) => ({ file_id: fileId, page }));

/** The pages of a submission's answers, in the order of the questions. */
export const serializePages = (answers: Pick<Answer, 'questionId' | 'pages'>[]) =>
  answers.flatMap(({ questionId, pages }) =>
    serializeAnswerPages(pages).map((page) => ({ question_id: questionId, ...page })),
  );
