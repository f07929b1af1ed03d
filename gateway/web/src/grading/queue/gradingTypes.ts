import type { components } from '../../../apiTypes/schema.ts';
import type { Kind } from '../../shared/api/workTypes.ts';

type Schemas = components['schemas'];

/** An item with its settings. */
export type Item = Schemas['Item'];
export type Row = Schemas['QueueRow'];
export type Detail = Schemas['GradingDetail'];
export type GradingFile = Schemas['GradingFile'];
export type Rubric = Schemas['Rubric'];
export type RubricItem = Schemas['RubricItem'];
export type Annotation = Schemas['Annotation'];
export type Answer = Schemas['Answer'];
export type AnswerPage = Schemas['AnswerPage'];
export type Question = Schemas['Question'];
export type Outline = Schemas['Outline'];
export type Review = Schemas['Review'];
export type Statistics = Schemas['GradeStatistics'];
export type GradingHistoryEntry = Schemas['HistoryEntry'];
export type AnswerHistoryEntry = Schemas['AnswerHistoryEntry'];
export type Regrading = Schemas['Regrading'];

/** A version of a submission, with its ETag. */
export interface Sheet {
  detail: Detail;
  etag: string;
}

/** The filter of the table of submissions. */
export interface Filter {
  status: 'ungraded' | 'graded' | 'all';
  search: string;
}

/** A quiz or an assignment, whose submissions are graded together. */
export interface ItemId {
  kind: Kind;
  itemId: number;
}

/** A sequence of work to grade: the submissions of an item, or their answers to one of its questions. */
export interface Queue extends ItemId {
  questionId?: number | undefined;
}

/** The unit of grading: a submission, or its answer to a question. */
export interface Target {
  kind: Kind;
  id: number;
  questionId?: number | undefined;
}

/** A student of the course, and their work for an item. */
export type EveryoneRow = Schemas['EveryoneRow'];
