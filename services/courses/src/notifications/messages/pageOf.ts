import type { Fact } from '../data/factRepository.ts';

const folders = { homework: 'homeworks', quiz: 'quizzes' } as const;

/** The page of the web application that a message links to (gateway/web/src/routes). */
export function pageOf({ kind, itemKind, itemId, submissionId }: Fact): string {
  const folder = folders[itemKind];
  switch (kind) {
    case 'work.published':
    case 'work.due':
      return '/my';
    case 'review.opened':
      return `/grading/${folder}/${itemId}/reviews`;
    case 'grading.finished':
      return `/grading/${folder}/${itemId}`;
    default:
      return `/my/submissions/${folder}/${submissionId}`;
  }
}
