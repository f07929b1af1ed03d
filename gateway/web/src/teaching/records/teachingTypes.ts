import type { components } from '../../../apiTypes/schema.ts';
import type { GradingItem, Kind } from '../../shared/api/workTypes.ts';

type Schemas = components['schemas'];

export type OwnCourse = Schemas['GradingCourse'];
export type CourseStudent = Schemas['CourseStudent'];
export type Accommodation = Schemas['Accommodation'];
export type CourseClass = Schemas['Class'];
export type TeamMember = Schemas['Instructor'];
export type TeamRole = Schemas['TeachingRole'];
export type Grid = Schemas['GradebookGrid']['data'];
export type GridItem = Schemas['GridItem'];
export type GridStudent = Schemas['GridStudent'];
export type GridCell = Schemas['GridCell'];

/** A quiz or an assignment with its state by the server's clock. */
export interface WorkItem extends GradingItem {
  kind: Kind;
  state: 'draft' | 'open' | 'closed';
}
