import type { components } from '../../../apiTypes/schema.ts';

type Schemas = components['schemas'];

export type Quiz = Schemas['AvailableQuiz'];
export type QuizSubmission = Schemas['OwnQuizSubmission'];
export type Homework = Schemas['OwnHomework'];
/** Whether work can be handed in. */
export type State = Schemas['SubmissionState'];
/** Under which conditions late work is accepted. */
export type LateRule = Schemas['LateRule'];
export type Course = Schemas['OwnCourse'];
export type Grade = Schemas['OwnGrade'];
/** How late work is, and the deduction from its grade. */
export type Lateness = NonNullable<Grade['late']>;
export type GradedQuiz = Schemas['OwnGradedQuizSubmission'];
export type GradedHomework = Schemas['OwnGradedSubmission'];
