import { type CreationOptional, DataTypes, Model } from 'sequelize';
import type { ItemSettings } from './item.ts';

/** The columns of item settings, except the opening and closing times, whose names differ between services. */
export const settingNames = [
  'published',
  'release',
  'release_at',
  'released_at',
  'late',
  'submission_order',
  'anonymous',
  'graders_edit_rubric',
  'reviews',
] as const;

/** SQL for the columns of item settings, as the properties of `ItemSettings`. */
export const settingsColumns = (alias: string): string => `
  ${alias}.published, ${alias}.release, ${alias}.release_at AS "releaseAt", ${alias}.released_at AS "releasedAt",
  ${alias}.late, ${alias}.submission_order AS "submissionOrder", ${alias}.anonymous,
  ${alias}.graders_edit_rubric AS "gradersEditRubric", ${alias}.reviews`;

/** The attributes of the same columns in a model. */
export const settingsAttributes = {
  published: DataTypes.BOOLEAN,
  release: DataTypes.TEXT,
  releaseAt: DataTypes.DATE,
  releasedAt: DataTypes.DATE,
  late: DataTypes.JSONB,
  submissionOrder: DataTypes.TEXT,
  anonymous: DataTypes.BOOLEAN,
  gradersEditRubric: DataTypes.BOOLEAN,
  reviews: DataTypes.JSONB,
} as const;

/** A model with these attributes. */
export abstract class SettingsModel<Attributes extends object, NewAttributes extends object> extends Model<
  Attributes,
  NewAttributes
> {
  declare published: CreationOptional<ItemSettings['published']>;
  declare release: CreationOptional<ItemSettings['release']>;
  declare releaseAt: CreationOptional<ItemSettings['releaseAt']>;
  declare releasedAt: CreationOptional<ItemSettings['releasedAt']>;
  declare late: CreationOptional<ItemSettings['late']>;
  declare submissionOrder: CreationOptional<ItemSettings['submissionOrder']>;
  declare anonymous: CreationOptional<ItemSettings['anonymous']>;
  declare gradersEditRubric: CreationOptional<ItemSettings['gradersEditRubric']>;
  declare reviews: CreationOptional<ItemSettings['reviews']>;
}
