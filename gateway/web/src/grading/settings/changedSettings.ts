import { fieldTimeOf, momentOf, utcTimeOf } from '../../shared/time/moment.ts';
import type { Item } from '../queue/gradingTypes.ts';

const times = ['opens_at', 'closes_at', 'release_at'] as const;
const texts = [
  'title',
  'description',
  'duration_minutes',
  'questions_count',
  'total_grade',
  'release',
] as const;
const switches = ['published', 'anonymous', 'graders_edit_rubric'] as const;
const reviewFields = ['reviews_until', 'reviews_count'] as const;
const lateFields = ['late_until', 'late_grace', 'late_penalty', 'late_per', 'late_floor'] as const;

/** The fields about which the server reports errors. */
export const settingFields = [...times, ...texts, ...switches, 'file', 'late', 'order', 'reviews'];

type FieldName =
  | (typeof times)[number]
  | (typeof texts)[number]
  | (typeof lateFields)[number]
  | (typeof reviewFields)[number];

const timeIn = (time: string | null | undefined): string => (time ? fieldTimeOf(momentOf(time)) : '');
const textIn = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** Returns the stored value of each field of the form. */
export function storedSettings(item: Item): Record<FieldName, string> {
  const { late, reviews } = item;
  const stored = Object.fromEntries(texts.map((name) => [name, textIn(item[name as keyof Item])]));
  return {
    ...(stored as Record<(typeof texts)[number], string>),
    opens_at: timeIn(item.opens_at),
    closes_at: timeIn(item.closes_at),
    release_at: timeIn(item.release_at),
    reviews_until: timeIn(reviews?.until),
    reviews_count: textIn(reviews?.per_submission),
    late_until: timeIn(late?.until),
    late_grace: textIn(late?.grace_minutes),
    late_penalty: textIn(late?.penalty_percent),
    late_per: late?.per ?? 'once',
    late_floor: textIn(late?.floor_percent),
  };
}

/**
 * Builds the request body from the fields that differ from the stored item. An empty field clears its setting; a field
 * that the form does not show stays unchanged.
 */
export function changedSettings(form: FormData, item: Item): FormData {
  const stored = storedSettings(item);
  const body = new FormData();
  const typed = (name: FieldName) => String(form.get(name) ?? '').trim();
  const isChanged = (name: FieldName) => form.has(name) && typed(name) !== stored[name];

  for (const name of texts) if (isChanged(name)) body.append(name, typed(name));
  for (const name of times)
    if (isChanged(name)) body.append(name, typed(name) === '' ? '' : utcTimeOf(typed(name)));
  // Grades that are visible immediately have no time of release.
  if (form.get('release') === 'immediate' && stored.release_at !== '') body.append('release_at', '');

  for (const name of switches) if (form.has(name) !== item[name]) body.append(name, String(form.has(name)));
  const order = form.has('shuffled') ? 'shuffled' : 'arrival';
  if (order !== item.order) body.append('order', order);

  const isLateAccepted = form.has('accepts_late');
  if (isLateAccepted !== (item.late !== null)) body.append('late', isLateAccepted ? lateText(typed) : '');
  else if (isLateAccepted && lateFields.some(isChanged)) body.append('late', lateText(typed));

  if (reviewFields.some(isChanged)) body.append('reviews', reviewText(typed));

  const file = form.get('file');
  if (form.has('no_file')) body.append('file', '');
  else if (file instanceof File && (file.size > 0 || file.name !== '')) body.append('file', file);
  return body;
}

/** Without a time, students cannot ask for reviews. */
const reviewText = (typed: (name: FieldName) => string): string =>
  typed('reviews_until') === ''
    ? ''
    : JSON.stringify({
        until: utcTimeOf(typed('reviews_until')),
        per_submission: Number(typed('reviews_count') || 1),
      });

/** An incomplete rule is sent as is, so that the server names the missing fields. */
function lateText(typed: (name: FieldName) => string): string {
  const number = (name: FieldName) =>
    typed(name) === '' ? undefined : Number(typed(name).replace(',', '.'));
  return JSON.stringify({
    until: typed('late_until') === '' ? undefined : utcTimeOf(typed('late_until')),
    grace_minutes: number('late_grace') ?? 0,
    penalty_percent: number('late_penalty'),
    per: typed('late_per'),
    floor_percent: number('late_floor') ?? 0,
  });
}

/** Whether these changes show the grades of an item to students at once. */
export function releasesGrades(body: FormData, { published, released_at }: Item): boolean {
  if (!published || released_at !== null) return false;
  const releaseAt = String(body.get('release_at') ?? '');
  return body.get('release') === 'immediate' || (releaseAt !== '' && momentOf(releaseAt) <= new Date());
}

/** Whether someone else has since changed a setting that this body also changes. */
export function isConflict(body: FormData, before: Item, current: Item): boolean {
  const settingOf = (item: Item, name: string) => JSON.stringify(item[name as keyof Item]);
  return [...body.keys()].some(
    (name) => name !== 'file' && settingOf(before, name) !== settingOf(current, name),
  );
}
