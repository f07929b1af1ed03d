import type { components } from '../../../apiTypes/schema.ts';

type Schemas = components['schemas'];

/** The result of a dry run or a commit, with every row. */
export type ImportPlan = Schemas['Import'];
export type ImportRow = Schemas['ImportRow'];
export type ImportAction = ImportRow['action'];
