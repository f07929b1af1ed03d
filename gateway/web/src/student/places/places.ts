import type { ListedQuestion, Place } from '../records/studentTypes.ts';

/** A page of a submitted file. */
export type FilePage = Pick<Place, 'file_id' | 'page'>;

export const isSamePage = (one: FilePage, other: FilePage): boolean =>
  one.file_id === other.file_id && one.page === other.page;

/** Moves an answer from all of its pages to a single one, or to none. */
export const moved = (places: Place[], questionId: number, to: FilePage | undefined): Place[] => [
  ...places.filter(({ question_id }) => question_id !== questionId),
  ...(to ? [{ question_id: questionId, file_id: to.file_id, page: to.page }] : []),
];

/** Returns the pages of an answer. */
export const placesOf = (questionId: number, places: Place[]): Place[] =>
  places.filter(({ question_id }) => question_id === questionId);

/** Replaces one page of an answer, or removes it. The index after the last one adds a page. A page counts once. */
export function changed(
  places: Place[],
  questionId: number,
  index: number,
  to: FilePage | undefined,
): Place[] {
  const own = placesOf(questionId, places).map((place, at) => (at === index ? to : place));
  if (to && index >= own.length) own.push(to);
  const all = own.filter((page) => page !== undefined);
  const once = all.filter((page, at) => all.findIndex((each) => isSamePage(each, page)) === at);
  return [
    ...moved(places, questionId, undefined),
    ...once.map(({ file_id, page }) => ({ question_id: questionId, file_id, page })),
  ];
}

/** Returns the first question without a page. */
export const nextQuestion = (questions: ListedQuestion[], places: Place[]): ListedQuestion | undefined =>
  questions.find(({ id }) => places.every(({ question_id }) => question_id !== id));

/** Returns the questions whose answers are on a page, in order. */
export const questionsOn = (page: FilePage, questions: ListedQuestion[], places: Place[]): ListedQuestion[] =>
  questions.filter(({ id }) => places.some((place) => place.question_id === id && isSamePage(place, page)));
