import { z } from 'zod';
import { maxInteger } from '../config/maxInteger.ts';
import { type FieldErrors, invalid } from '../errors/appError.ts';
import type { Clock } from './timestamps.ts';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** The parsed value, or messages for the invalid fields. */
export type Checked<T> = { value: T; errors?: undefined } | { errors: FieldErrors };

/**
 * Validates input. Any value other than an object is treated as an empty object, so that all required fields are
 * reported.
 */
export function checkInput<T>(schema: z.ZodType<T>, input: unknown): Checked<T> {
  const record = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
  const result = schema.safeParse(record, { error: messageFor });
  return result.success ? { value: result.data } : { errors: errorsByField(result.error.issues) };
}

/**
 * Validates input and returns the parsed value.
 * @param message `message` of the error
 * @throws AppError `invalid` with messages for the invalid fields
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown, message?: string): T {
  const checked = checkInput(schema, input);
  if (checked.errors) throw invalid(checked.errors, message);
  return checked.value;
}

function errorsByField(issues: z.core.$ZodIssue[]): FieldErrors {
  const fields: FieldErrors = Object.create(null);
  for (const issue of issues) {
    const field = issue.path.join('.') || 'body';
    fields[field] = [...(fields[field] ?? []), issue.message];
  }
  return fields;
}

/** Field name used in messages: `device_token` → `device token`. */
export const fieldName = (path: readonly PropertyKey[] | undefined): string =>
  (path ?? []).join('.').replaceAll('_', ' ');

export const requiredMessage = (name: string) => `The ${name} field is required.`;

// The messages follow the examples in the specification.
function messageFor(issue: Issue): string {
  const name = fieldName(issue.path);
  if (issue.input === undefined || issue.input === null || issue.input === '') return requiredMessage(name);
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(name, issue.expected);
    case 'too_small':
      return issue.origin === 'string'
        ? `The ${name} must be at least ${issue.minimum} characters.`
        : `The ${name} must be at least ${issue.minimum}.`;
    case 'too_big':
      return issue.origin === 'string'
        ? `The ${name} may not be greater than ${issue.maximum} characters.`
        : `The ${name} may not be greater than ${issue.maximum}.`;
    case 'invalid_value':
      return `The selected ${name} is invalid.`;
    case 'invalid_format':
      return issue.format === 'email'
        ? `The ${name} must be a valid email address.`
        : `The ${name} format is invalid.`;
    default:
      return `The ${name} is invalid.`;
  }
}

function typeMessage(name: string, expected: string): string {
  if (expected === 'int') return `The ${name} must be an integer.`;
  if (expected === 'boolean') return `The ${name} field must be true or false.`;
  return `The ${name} must be a ${expected}.`;
}

// Length counts code points (D19). Postgres can store neither NUL nor unpaired surrogates.
const length = (value: string): number => [...value].length;
const storable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();

/** A string of at most `most` characters that Postgres can store. It is not trimmed. */
export const string = (most: number) =>
  z
    .string()
    .refine(storable, { error: (issue) => `The ${fieldName(issue.path)} contains invalid characters.` })
    .refine((value) => length(value) <= most, {
      error: (issue) => `The ${fieldName(issue.path)} may not be greater than ${most} characters.`,
    });

/** A {@link string} that is trimmed and must not be empty, such as a name or a title. */
export const title = (most: number) =>
  string(most)
    .transform((value) => value.trim())
    .refine((value) => value !== '', { error: (issue) => requiredMessage(fieldName(issue.path)) });

/** A JSON integer. Numeric strings are invalid (D19). */
export const integer = (least: number, most?: number) =>
  z
    .unknown()
    .refine((value) => !isMissing(value), {
      error: (issue) => requiredMessage(fieldName(issue.path)),
      abort: true,
    })
    .refine((value) => Number.isInteger(value), {
      error: (issue) => `The ${fieldName(issue.path)} must be an integer.`,
      abort: true,
    })
    .transform((value) => value as number)
    .refine((value) => value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER), {
      error: (issue) =>
        most === undefined
          ? `The ${fieldName(issue.path)} must be at least ${least}.`
          : `The ${fieldName(issue.path)} must be between ${least} and ${most}.`,
    });

/** An integer in a form field or query parameter. Also accepts JSON numbers. */
export const integerText = (least: number, most?: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    integer(least, most),
  );

/**
 * The id of another record, in a form or a body. An id beyond the range of the column becomes 0, which no record has,
 * so that the lookup reports a missing record (D4).
 */
export const recordId = () => integerText(1).transform((id) => (id > maxInteger ? 0 : id));

/** An on/off query parameter. */
export const flag = z
  .enum(['0', '1', 'false', 'true', ''])
  .transform((value) => value === '1' || value === 'true');

/** An optional field. An absent field is undefined; null and empty form fields become null. */
export const nullable = <T>(schema: z.ZodType<T>) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable()).optional();

/** A time in the format `YYYY-MM-DDTHH:mm:ss`, optionally with `Z` or an offset (D40). */
export const dateTime = (clock: Clock) =>
  z
    .string()
    .transform((text) => clock.parse(text))
    .refine((time) => time !== undefined, {
      error: (issue) => `The ${fieldName(issue.path)} does not match the format YYYY-MM-DDTHH:mm:ss.`,
    })
    .transform((time) => time as Date);

interface DecimalRange {
  least?: number;
  above?: number;
  most?: number;
  below?: number;
  /** Maximum number of digits after the decimal point. */
  decimals?: number;
}

/** A JSON number or a numeric string (D23) within a range. */
export const decimal = (range: DecimalRange = {}) =>
  z
    .unknown()
    .refine((value) => !isMissing(value), {
      error: (issue) => requiredMessage(fieldName(issue.path)),
      abort: true,
    })
    .refine((value) => toNumber(value) !== undefined, {
      error: (issue) => `The ${fieldName(issue.path)} must be a number.`,
      abort: true,
    })
    .transform((value) => toNumber(value) as number)
    .refine((value) => outside(value, range) === undefined, {
      error: (issue) => `The ${fieldName(issue.path)} ${outside(issue.input as number, range)}.`,
    });

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(value.trim())) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function outside(value: number, range: DecimalRange): string | undefined {
  if (range.least !== undefined && value < range.least) return `must be at least ${range.least}`;
  if (range.above !== undefined && value <= range.above) return `must be greater than ${range.above}`;
  if (range.most !== undefined && value > range.most) return `may not be greater than ${range.most}`;
  if (range.below !== undefined && value >= range.below) return `must be less than ${range.below}`;
  const decimals = range.decimals;
  if (decimals !== undefined && Number(value.toFixed(decimals)) !== value)
    return `may not have more than ${decimals} decimals`;
  return undefined;
}
