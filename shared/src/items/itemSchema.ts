import { z } from 'zod';
import { pdfTextField } from '../files/pdfTextField.ts';
import { checkInput, decimal, integerText, nullable } from '../http/validation.ts';
import { withoutUndefined } from '../http/withoutUndefined.ts';
import { zonedTime } from '../http/zonedTime.ts';
import type { ItemSettings, LateRule, ReviewRule } from './item.ts';

const maxGraceMinutes = 10_080;
const maxReviews = 20;
const percent = () => decimal({ least: 0, most: 100, decimals: 2 });

// In a form, every value is text.
const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  [1, true],
  ['false', false],
  ['0', false],
  [0, false],
]);
const onOff = z.preprocess((value) => booleans.get(value) ?? value, z.boolean());

const lateRule = z
  .object({
    until: zonedTime(),
    grace_minutes: integerText(0, maxGraceMinutes).default(0),
    penalty_percent: percent(),
    per: z.enum(['once', 'hour', 'day']),
    floor_percent: percent().default(0),
  })
  .transform(
    // In the order that PostgreSQL returns (jsonb), so that an unchanged rule equals the stored one.
    (rule): LateRule => ({
      per: rule.per,
      until: rule.until.toISOString(),
      floorPercent: rule.floor_percent,
      graceMinutes: rule.grace_minutes,
      penaltyPercent: rule.penalty_percent,
    }),
  );

const reviewRule = z
  .object({ until: zonedTime(), per_submission: integerText(1, maxReviews) })
  // Also in the order of PostgreSQL.
  .transform((rule): ReviewRule => ({ until: rule.until.toISOString(), perSubmission: rule.per_submission }));

// All errors of a rule belong to its field. In a form, the rule is JSON text.
const nested = <Rule>(schema: z.ZodType<Rule>) =>
  z.unknown().transform((value, context) => {
    const checked = checkInput(schema, typeof value === 'string' ? parseJson(value) : value);
    if (!checked.errors) return checked.value;
    for (const message of Object.values(checked.errors).flat()) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields of the settings that quizzes and assignments share. An absent field keeps a setting, null clears it. */
export const settingFields = {
  opens_at: nullable(zonedTime()),
  closes_at: nullable(zonedTime()),
  published: onOff.optional(),
  release: z.enum(['immediate', 'manual']).optional(),
  release_at: nullable(zonedTime()),
  late: nullable(nested(lateRule)),
  order: z.enum(['arrival', 'shuffled']).optional(),
  anonymous: onOff.optional(),
  graders_edit_rubric: onOff.optional(),
  reviews: nullable(nested(reviewRule)),
  file: pdfTextField(),
};

/** A setting that is present in a request. */
export type SettingChanges = Partial<Omit<ItemSettings, 'releasedAt'>> & {
  /** Removes the PDF of the item. */
  clearsFile: boolean;
};

type Fields = { [Name in keyof typeof settingFields]?: z.output<(typeof settingFields)[Name]> };

/** Returns the settings that are present in the fields of a request. */
export const settingChanges = (fields: Fields): SettingChanges => ({
  clearsFile: fields.file === null,
  ...withoutUndefined({
    opensAt: fields.opens_at,
    closesAt: fields.closes_at,
    published: fields.published,
    release: fields.release,
    releaseAt: fields.release_at,
    late: fields.late,
    submissionOrder: fields.order,
    anonymous: fields.anonymous,
    gradersEditRubric: fields.graders_edit_rubric,
    reviews: fields.reviews,
  }),
});
