import { z } from 'zod';
import { maxInteger } from '../config/maxInteger.ts';
import { type Annotation, annotationKinds } from './annotation.ts';

const maxAnnotations = 500;
const maxBytes = 256 * 1024;
const maxPenPoints = 2_000;
const minPenPoints = 2;
const maxTextLength = 500;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hexColor = /^#[0-9a-f]{6}$/i;

type Fields = Record<string, unknown>;

const isInteger = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
const isNumbers = (value: unknown, length: number): value is number[] =>
  Array.isArray(value) && value.length === length && value.every(Number.isFinite);
const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

/** The rules of each field. A list may have thousands of coordinates, so they are checked without a schema for each. */
const fieldRules: [field: string, rule: (value: unknown, all: Fields) => boolean, message: string][] = [
  ['id', (value) => typeof value === 'string' && uuid.test(value), 'must be a UUID'],
  ['file_id', (value) => isInteger(value, maxInteger), 'must be the id of a file'],
  ['page', (value) => isInteger(value, maxInteger), 'must be an integer of at least 1'],
  ['kind', (value) => annotationKinds.some((kind) => kind === value), 'is not a kind of annotation'],
  [
    'rect',
    (value) => isNumbers(value, 4) && (value[2] as number) >= 0 && (value[3] as number) >= 0,
    'must be [x, y, width, height], with a width and height of at least 0',
  ],
  ['points', isPointList, `must be pairs of numbers, for a pen from 2 to ${maxPenPoints}`],
  ['text', isText, `may not be greater than ${maxTextLength} characters, and a text needs one`],
  [
    'color',
    (value) => isAbsent(value) || (typeof value === 'string' && hexColor.test(value)),
    'must be of the form #rrggbb',
  ],
  ['item_id', (value) => isAbsent(value) || isInteger(value, maxInteger), 'must be the id of a rubric item'],
];

function isPointList(value: unknown, { kind }: Fields): boolean {
  if (isAbsent(value)) return kind !== 'pen';
  if (!Array.isArray(value) || value.length > maxPenPoints) return false;
  if (kind === 'pen' && value.length < minPenPoints) return false;
  return value.every((point) => isNumbers(point, 2));
}

function isText(value: unknown, { kind }: Fields): boolean {
  if (isAbsent(value) || value === '') return kind !== 'text';
  return typeof value === 'string' && isStorable(value) && [...value].length <= maxTextLength;
}

function errorsOf(given: unknown[]): string[] {
  const ids = new Set<string>();
  return given.flatMap((each, index) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each))
      return [`The annotations.${index} must be an object.`];
    const fields = each as Fields;
    const wrong = fieldRules.find(([field, rule]) => !rule(fields[field], fields));
    if (wrong) return [`The annotations.${index}.${wrong[0]} ${wrong[2]}.`];
    const id = String(fields.id).toLowerCase();
    if (ids.has(id)) return [`The annotations.${index}.id is used twice.`];
    ids.add(id);
    return [];
  });
}

const toAnnotation = (fields: Fields): Annotation => ({
  id: fields.id as string,
  fileId: fields.file_id as number,
  page: fields.page as number,
  kind: fields.kind as Annotation['kind'],
  rect: fields.rect as Annotation['rect'],
  points: (fields.points as Annotation['points']) ?? null,
  text: (fields.text as string) || null,
  color: (fields.color as string) ?? null,
  itemId: (fields.item_id as number) ?? null,
});

/** The annotations of a submission: at most 500, and 256 KiB as JSON. */
export const annotationsSchema = z
  .unknown()
  .refine(Array.isArray, { error: 'The annotations must be a list.', abort: true })
  .transform((given) => given as Fields[])
  .superRefine((given, context) => {
    if (given.length > maxAnnotations)
      context.addIssue(`The annotations may not be more than ${maxAnnotations}.`);
    else if (Buffer.byteLength(JSON.stringify(given)) > maxBytes)
      context.addIssue('The annotations may not be greater than 256 KiB.');
    else for (const message of errorsOf(given)) context.addIssue(message);
  })
  .transform((given) => given.map(toAnnotation));
