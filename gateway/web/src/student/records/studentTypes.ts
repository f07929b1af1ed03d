import type { components } from '../../../apiTypes/schema.ts';

type Schemas = components['schemas'];

export type Quiz = Schemas['AvailableQuiz'];
export type QuizSubmission = Schemas['OwnQuizSubmission'];
export type Homework = Schemas['OwnHomework'];
/** Whether work can be handed in. */
export type State = Schemas['SubmissionState'];
/** The conditions under which late work is accepted. */
export type LateRule = Schemas['LateRule'];
export type Course = Schemas['OwnCourse'];
export type Grade = Schemas['OwnGrade'];
/** How late work is, and the deduction from its grade. */
export type Lateness = NonNullable<Grade['late']>;
export type GradedQuiz = Schemas['OwnGradedQuizSubmission'] & Reviewable;
export type GradedHomework = Schemas['OwnGradedSubmission'] & Reviewable;
export type ListedQuestion = Schemas['ListedQuestions'][number];
/** A page with the answer to a question. */
export type Place = Schemas['OwnPages'][number];
/** The answer to a question, with its grading. */
export type GradedAnswer = NonNullable<Schemas['FeedbackAnswers']>[number];
/** An item of a rubric that applies. Points are negative for a deduction. */
export type SelectedItem = Schemas['SelectedItems'][number];
export type Review = Schemas['OwnReview'];

/** How long and how often the student may still ask for reviews of a submission. */
export interface ReviewAllowance {
  until: string;
  left: number;
}

interface Reviewable {
  /** Null if the student may not ask for reviews now. Absent if the service does not report it. */
  reviews?: ReviewAllowance | null;
}
