import type { components } from '../../../apiTypes/schema.ts';
import type { ItemId } from './gradingTypes.ts';

type Schemas = components['schemas'];

/** The position of a question on the question PDF, in the coordinates of marks. */
export type Region = Schemas['Region'];
export type Question = Schemas['Question'];
/** The questions of an item. */
export type Outline = Schemas['Outline'];
/** How a change of the questions affects grades. */
export type OutlineEffect = Schemas['OutlineEffect'];
export type QuestionProgress = Schemas['QuestionProgress'];

/** The questions in a request. One without an id is new. */
export interface OutlineBody {
  questions: (Pick<Question, 'label' | 'title' | 'max_points' | 'region'> & { id?: number })[];
}

/** A version of an outline, with its ETag. */
export interface SavedOutline {
  outline: Outline;
  etag: string;
}

/** A question of an item. */
export interface QuestionId extends ItemId {
  questionId: number;
}
