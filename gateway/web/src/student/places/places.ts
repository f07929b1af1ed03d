import type { ListedQuestion, Place } from '../records/studentTypes.ts';

/** A page of a submitted file. */
export type FilePage = Pick<Place, 'file_id' | 'page'>;

export const isSamePage = (one: FilePage, other: FilePage): boolean =>
  one.file_id === other.file_id && one.page === other.page;

/** Puts an answer on a page instead of where it was, or nowhere. */
export const moved = (places: Place[], questionId: number, to: FilePage | undefined): Place[] => [
  ...places.filter(({ question_id }) => question_id !== questionId),
  ...(to ? [{ question_id: questionId, file_id: to.file_id, page: to.page }] : []),
];

/** Returns the first question without a page. */
export const nextQuestion = (questions: ListedQuestion[], places: Place[]): ListedQuestion | undefined =>
  questions.find(({ id }) => places.every(({ question_id }) => question_id !== id));

/** Returns the questions whose answers are on a page, in their order. */
export const questionsOn = (page: FilePage, questions: ListedQuestion[], places: Place[]): ListedQuestion[] =>
  questions.filter(({ id }) => places.some((place) => place.question_id === id && isSamePage(place, page)));
