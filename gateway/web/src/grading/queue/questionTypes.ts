import type { Annotation, Regrading, Rubric } from './gradingTypes.ts';

/** Where a question stands on the question PDF, in the coordinates of marks. */
export interface Region {
  page: number;
  rect: Annotation['rect'];
}

export interface Question {
  id: number;
  label: string;
  title: string | null;
  max_points: number;
  region: Region | null;
  position: number;
  rubric: Rubric | null;
  /** Graded answers. */
  graded: number;
}

/** The questions of an item. */
export interface Outline {
  revision: number;
  questions: Question[];
  total_points: number;
}

/** A version of an outline, with its ETag. */
export interface SavedOutline {
  outline: Outline;
  etag: string;
}

export interface OutlineBody {
  questions: (Pick<Question, 'label' | 'title' | 'max_points' | 'region'> & { id?: number })[];
}

type Change = Omit<Regrading['changes'][number], 'from'> & { from: number | null };

/** How a change affects grades. */
export interface OutlineEffect extends Omit<Regrading, 'changes'> {
  /** Submissions that are no longer graded. */
  ungraded: number;
  changes: Change[];
}

export interface QuestionProgress {
  question_id: number;
  label: string;
  graded: number;
  total: number;
  /** Null without graded answers. */
  mean: number | null;
  graders: { id: number; name: string; graded: number }[];
}
