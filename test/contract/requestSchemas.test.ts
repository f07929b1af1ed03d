import { describe, expect, test } from 'vitest';
import { isCommonPassword } from '../../services/auth/src/domain/commonPasswords.ts';
import { operations, schemaViolations } from '../support/openApi.ts';
import { type Field, listFields, listPlaces } from './requests/fields.ts';
import { samplesFor } from './requests/samples.ts';
import { validators } from './requests/validators.ts';

// The document and the zod schemas that validate requests are written separately; these tests compare them.

/** Values on which the two may differ: rules that JSON Schema cannot express, or that are checked outside the zod schema. */
const exceptions = [
  {
    reason: 'the use case accepts only a URL with a public address',
    field: /^(create|change)Webhook json url$/,
    allows: (value: unknown) => typeof value === 'string',
  },
  {
    reason: 'the document does not list the common passwords',
    field: /^(changePassword|createUser|changeUser) json password$/,
    allows: (value: unknown) => isCommonPassword(String(value)),
  },
  {
    reason: 'at most 4 decimals: multipleOf is unreliable with binary fractions',
    field:
      /(Quiz|QuizAsTeacher|changeItem|gradeSubmission|gradeAnswer|gradeAnswerGroup|setRubric) \w+ (\w*grade\w*|duration_minutes|adjustment|(m(ax|in)_)?points)$/,
    allows: (value: unknown) => Number(value) === 0.00001,
  },
  {
    reason: 'the document does not describe the JSON in a field of a form',
    field: /form (late|reviews)$/,
    allows: (value: unknown) => typeof value === 'string',
  },
];

const places = listPlaces();
const fields = listFields();

test('every validator belongs to an operation of the document', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(Object.keys(validators).filter((id) => !ids.includes(id))).toEqual([]);
});

describe.each(places)('$name', ({ documented, validated }) => {
  test('the document and zod have the same fields', () => {
    expect([...documented.keys()].sort()).toEqual([...validated.keys()].sort());
  });

  test('the document and zod require the same fields', () => {
    const required = [...documented].filter(([, { isRequired }]) => isRequired);
    const missing = [...validated].filter(([, schema]) => !schema.safeParse(undefined).success);
    expect(required.map(([name]) => name).sort()).toEqual(missing.map(([name]) => name).sort());
  });
});

test.each(fields)('$name: the document and zod accept the same values', (field) => {
  const differences = differingValues(field).filter((value) => !exceptionFor(field, value));
  expect(differences.map((value) => JSON.stringify(value).slice(0, 80))).toEqual([]);
});

test('every exception is needed', () => {
  const needed = fields.flatMap((field) => differingValues(field).map((value) => exceptionFor(field, value)));
  expect(exceptions.filter((exception) => !needed.includes(exception))).toEqual([]);
});

/** The sample values that only one of the two accepts. */
function differingValues(field: Field): unknown[] {
  return samplesFor(field).filter(
    (value) => isDocumented(field, value) !== field.zod.safeParse(value).success,
  );
}

const exceptionFor = ({ name }: Field, value: unknown) =>
  exceptions.find(({ field, allows }) => field.test(name) && allows(value));

const isDocumented = ({ isText, at }: Field, value: unknown): boolean =>
  (isText ? readings(String(value)) : [value]).some((each) => schemaViolations(at, each).length === 0);

/** The values that a text in a query or a form may represent. */
function readings(text: string): unknown[] {
  return /^-?\d+(\.\d+)?$/.test(text) ? [text, Number(text)] : [text];
}
