import type { components } from '../../../apiTypes/schema.ts';

type Schemas = components['schemas'];

export type Course = Schemas['Course'];
export type CourseClass = Schemas['Class'];
export type CourseItem = Schemas['GradingItem'];
export type DescribedItem = Schemas['DescribedItem'];
export type CoursePerson = Schemas['CourseStudent'];
