import type { components } from '../../../apiTypes/schema.ts';

type Schemas = components['schemas'];

export type Course = Schemas['Course'];
export type CourseClass = Schemas['Class'];
export type StoredQuiz = Schemas['QuizItem'];
export type StoredAssignment = Schemas['HomeworkItem'];
export type StoredItemOf<Kind> = Extract<Schemas['Item'], { kind: Kind }>;
export type CoursePerson = Schemas['CourseStudent'];
