import { readNumber } from '../../shared/ui/readNumber.ts';
import type { Outline, OutlineBody, Region } from '../queue/questionTypes.ts';

export interface QuestionForm {
  /** The React key, which contains the id of a saved question. */
  key: string;
  id: number | null;
  label: string;
  title: string;
  points: string;
  region: Region | null;
}

let made = 0;

export function newQuestion(label: string): QuestionForm {
  made += 1;
  return { key: `new-${made}`, id: null, label, title: '', points: '', region: null };
}

/** Returns the questions as they are edited. If there are none, returns an empty row for the first. */
export function formOf({ questions }: Outline): QuestionForm[] {
  if (questions.length === 0) return [newQuestion('1')];
  return questions.map(({ id, label, title, max_points, region }) => ({
    key: `question-${id}`,
    id,
    label,
    title: title ?? '',
    points: String(max_points),
    region,
  }));
}

/** Whether an added row has not been filled in. Its label is a suggestion. */
const isEmpty = ({ id, title, points, region }: QuestionForm): boolean =>
  id === null && title.trim() === '' && points.trim() === '' && region === null;

const filled = (form: QuestionForm[]) => form.filter((question) => !isEmpty(question));

export function bodyOf(form: QuestionForm[]): OutlineBody {
  return {
    questions: filled(form).map(({ id, label, title, points, region }) => ({
      ...(id === null ? {} : { id }),
      label: label.trim(),
      title: title.trim() || null,
      max_points: readNumber(points) ?? 0,
      region,
    })),
  };
}

/** Ten-thousandths are integers, whose sum is exact. */
const parts = 10_000;

/** Returns the sum of the points that can be read. */
export const totalOf = (form: QuestionForm[]): number =>
  form.reduce((sum, { points }) => sum + Math.round((readNumber(points) ?? 0) * parts), 0) / parts;

/** Returns the first validation error as an English text; undefined when the questions can be saved. */
export function errorIn(form: QuestionForm[]): string | undefined {
  const { questions } = bodyOf(form);
  const labels = questions.map(({ label }) => label);
  if (questions.length > 100) return 'There can be up to 100 questions.';
  if (labels.includes('')) return 'Every question needs a label.';
  if (new Set(labels).size < labels.length) return 'Two questions have the same label.';
  if (questions.some(({ max_points }) => max_points <= 0)) return 'Enter points above 0 for each question.';
  if (totalOf(form) >= 1_000_000) return 'The total must be less than 1,000,000 points.';
  return undefined;
}

/** Whether saving would change anything. */
export const isChanged = (form: QuestionForm[], before: QuestionForm[]): boolean =>
  JSON.stringify(bodyOf(form)) !== JSON.stringify(bodyOf(before));

/**
 * Whether grades can change: answers are graded, and the change adds or removes questions or changes the maximum of a
 * graded one.
 */
export function concernsGrades(form: QuestionForm[], { questions }: Outline): boolean {
  if (questions.every(({ graded }) => graded === 0)) return false;
  const given = new Map(bodyOf(form).questions.map((question) => [question.id, question.max_points]));
  return (
    given.has(undefined) ||
    questions.some(({ id, max_points, graded }) => {
      const points = given.get(id);
      return points === undefined || (graded > 0 && points !== max_points);
    })
  );
}

/**
 * Returns the form to save after another teacher's change: questions that the other teacher has removed become new
 * ones.
 */
export function keptOver(form: QuestionForm[], { questions }: Outline): QuestionForm[] {
  const ids = new Set(questions.map(({ id }) => id));
  return form.map((question) =>
    question.id === null || ids.has(question.id) ? question : { ...question, id: null },
  );
}

/** Suggests the label that follows a given one: 3 after 2, and 2c after 2b. */
export function nextLabel(label: string): string {
  const [, start = '', last = ''] = /^(.*?)(\d{1,9}|(?<=^|\d)[a-yA-Y])$/.exec(label.trim()) ?? [];
  if (last === '') return '';
  return start + (/\d/.test(last) ? String(Number(last) + 1) : String.fromCharCode(last.charCodeAt(0) + 1));
}
