import type { components } from '../../../apiTypes/schema.ts';

type Schemas = components['schemas'];

/** What an import would do, or has done, with every row. */
export type ImportPlan = Schemas['Import'];
export type ImportRow = Schemas['ImportRow'];
export type ImportAction = ImportRow['action'];
