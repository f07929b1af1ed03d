import type { Points } from '../grading/points.ts';
import { questionRubrics, rubricJson } from '../grading/rubricRepository.ts';
import { isServiceOf, userNameOf } from '../projections/userColumns.ts';

/** A page of a submission that an answer is on. */
export interface AnswerPage {
  fileId: number;
  /** From 1. */
  page: number;
}

/** The answer of a submission to a question. Names are null for deleted accounts and for those that are not loaded yet. */
export interface Answer {
  submissionId: number;
  questionId: number;
  label: string;
  title: string | null;
  maxPoints: Points;
  /** Null until it is graded. */
  points: Points | null;
  comment: string | null;
  selection: number[];
  adjustment: Points;
  /** Null for points without a rubric. */
  rubricRevision: number | null;
  gradedBy: number | null;
  graderName: string | null;
  graderIsService: boolean | null;
  gradedAt: Date | null;
  /** Increments whenever the points, the comment or the files change. */
  revision: number;
  /** Null for a claim that has ended. */
  claimedBy: number | null;
  claimerName: string | null;
  claimedUntil: Date | null;
  groupId: number | null;
  pages: AnswerPage[];
}

/** The entity tag of an answer. A revision is never used twice. */
export const answerTag = ({
  submissionId,
  questionId,
  revision,
}: Pick<Answer, 'submissionId' | 'questionId' | 'revision'>): string =>
  `"answer-${submissionId}-${questionId}-${revision}"`;

const personOf = (id: string, alias: string) => `LEFT JOIN people ${alias} ON ${alias}.user_id = ${id}`;

/** SQL for the columns of an {@link Answer}, for a query with {@link answerTables}. */
export const answerColumns = `
  a.submission_id AS "submissionId", a.question_id AS "questionId", q.label, q.title,
  (q.max_points * 10000)::float8 AS "maxPoints", (a.points * 10000)::float8 AS points, a.comment, a.selection,
  (a.adjustment * 10000)::float8 AS adjustment, a.rubric_revision AS "rubricRevision", a.graded_by AS "gradedBy",
  ${userNameOf('grader')} AS "graderName", ${isServiceOf('grader')} AS "graderIsService", a.graded_at AS "gradedAt", a.revision, c.user_id AS "claimedBy",
  ${userNameOf('claimer')} AS "claimerName", c.claimed_until AS "claimedUntil", a.group_id AS "groupId", a.pages`;

/** SQL for the tables that {@link answerColumns} reads. */
export const answerTables = `
  answers a JOIN questions q ON q.id = a.question_id
  ${personOf('a.graded_by', 'grader')}
  LEFT JOIN answer_claims c
    ON c.submission_id = a.submission_id AND c.question_id = a.question_id AND c.claimed_until > now()
  ${personOf('c.user_id', 'claimer')}`;

/** An answer with the items that its grader selected. Points are negative if an item deducts them. */
export interface ExplainedAnswer extends Answer {
  selected: { text: string; points: number }[];
}

// Only selected items, because the complete rubrics of all questions would be large.
const selected = `(
  SELECT coalesce(json_agg(json_build_object(
    'text', i.text, 'points', CASE r.mode WHEN 'add' THEN i.points ELSE -i.points END) ORDER BY i.place), '[]')
  FROM question_rubric_items i JOIN question_rubrics r ON r.question_id = i.question_id
  WHERE i.id = ANY (a.selection)) AS selected`;

/** An answer as `json_agg` returns it. */
export type AnswerJson = Omit<ExplainedAnswer, 'gradedAt' | 'claimedUntil'> & {
  gradedAt: string | null;
  claimedUntil: string | null;
};

/**
 * SQL for all answers of the submission `s`, in the order of the questions, as {@link AnswerJson}; null if there are
 * none.
 */
export const answersJson = `(
  SELECT json_agg(each ORDER BY place)
  FROM (SELECT ${answerColumns}, ${selected}, q.place FROM ${answerTables} WHERE a.submission_id = s.id) AS each)`;

const timeOrNull = (time: string | null): Date | null => (time === null ? null : new Date(time));

export const answersFrom = (answers: AnswerJson[] | null): ExplainedAnswer[] =>
  (answers ?? []).map((answer) => ({
    ...answer,
    gradedAt: timeOrNull(answer.gradedAt),
    claimedUntil: timeOrNull(answer.claimedUntil),
  }));

/** SQL for the rubric of question `q` as JSON; null if there is none. */
export const rubricOfQuestion = `(
  SELECT ${rubricJson(questionRubrics)} FROM question_rubrics r WHERE r.question_id = q.id AND NOT r.is_deleted)`;
