/** A question as students see it in the list of their items. */
export interface ListedQuestion {
  id: number;
  label: string;
  title: string | null;
  maxPoints: number;
}

/** The questions of an item in a list; null if there are none. */
export interface WithQuestions {
  questions: ListedQuestion[] | null;
}

/** SQL for the column of {@link WithQuestions}, with one lookup per row. */
export const questionsOf = (itemId: string): string => `(
  SELECT json_agg(json_build_object('id', q.id, 'label', q.label, 'title', q.title, 'maxPoints', q.max_points)
    ORDER BY q.place)
  FROM questions q WHERE q.item_id = ${itemId}) AS questions`;

/** The questions of an item that is or was open. */
export const serializeQuestions = (questions: ListedQuestion[] | null) =>
  (questions ?? []).map(({ id, label, title, maxPoints }) => ({ id, label, title, max_points: maxPoints }));
