import type { components } from '../../../apiTypes/schema.ts';

type Schemas = components['schemas'];

export type Scope = Schemas['Scope'];
export type PersonalToken = Schemas['PersonalToken'];
export type ServiceAccount = Schemas['ServiceAccount'];
export type ServiceToken = ServiceAccount['tokens'][number];
