import { extraCellsMessage } from '@gradeway/shared/csv/csvRecords';
import type { FieldErrors } from '@gradeway/shared/errors/appError';
import { checkInput, fieldName, string, title } from '@gradeway/shared/http/validation';
import { z } from 'zod';
import type { FileName } from './archive.ts';

/** A row of the archive, validated independently of other rows. */
export interface ParsedRow {
  sourcedId: string;
  /** Whether `status` is `tobedeleted`. */
  isDeleted: boolean;
  /** The values that the row requests, without passwords. */
  wanted: Record<string, string | boolean | null>;
  /** Null for a valid row, whose action is determined later. */
  action: 'error' | 'ignored' | null;
  messages: string[];
}

/** Columns that a file's header must name. All other columns of OneRoster 1.1 are optional. */
export const requiredColumns: Record<FileName, readonly string[]> = {
  users: ['sourcedId', 'role', 'givenName', 'familyName', 'email'],
  courses: ['sourcedId', 'title'],
  classes: ['sourcedId', 'title', 'courseSourcedId'],
  enrollments: ['sourcedId', 'classSourcedId', 'userSourcedId', 'role'],
};

const maxTextLength = 255;
const requiredText = title(maxTextLength);
const optionalText = string(maxTextLength).transform((value) => value.trim());

const optionalEnum = (values: readonly string[], description: string) =>
  z
    .string()
    .transform((value) => value.trim().toLowerCase())
    .refine((value) => value === '' || values.includes(value), {
      error: (issue) => `The ${fieldName(issue.path)} must be ${description}.`,
    });

const requiredEnum = (values: readonly string[]) =>
  optionalEnum(values, `one of ${values.join(', ')}`).refine((value) => value !== '', {
    error: (issue) => `The ${fieldName(issue.path)} field is required.`,
  });

const userRoles = {
  student: 'user',
  teacher: 'instructor',
  aide: 'instructor',
  proctor: 'instructor',
  parent: 'parent',
  guardian: 'parent',
  relative: 'parent',
  administrator: 'admin',
} as const;
const enrollmentRoles = ['administrator', 'proctor', 'student', 'teacher'];

const user = z.object({
  givenName: requiredText,
  // Some people have only one name (D56).
  familyName: optionalText,
  role: requiredEnum(Object.keys(userRoles)),
  enabledUser: optionalEnum(['true', 'false'], 'true or false').default(''),
  email: optionalText,
  username: optionalText.default(''),
  sms: optionalText.default(''),
});

const schemas = {
  courses: z.object({ title: requiredText }),
  classes: z.object({ title: requiredText, courseSourcedId: requiredText }),
  enrollments: z.object({
    classSourcedId: requiredText,
    userSourcedId: requiredText,
    role: requiredEnum(enrollmentRoles),
  }),
};

const identity = z.object({
  sourcedId: requiredText,
  status: optionalEnum(['active', 'tobedeleted'], 'active or tobedeleted').default(''),
});
// A deletion needs only its sourcedId. If an enrollment also has references, they help to find it.
const deletedEnrollment = z.object({
  classSourcedId: optionalText.default(''),
  userSourcedId: optionalText.default(''),
  role: optionalText.transform((value) => value.toLowerCase()).default(''),
});

type Cells = Record<string, string>;
type Values = Pick<ParsedRow, 'wanted'> & Partial<Pick<ParsedRow, 'action' | 'messages'>>;

/** Parses one row of a OneRoster file. Each message names the invalid column. */
export function parseRow(file: FileName, cells: Cells, hasExtraCells: boolean): ParsedRow {
  const checked = checkInput(identity, cells);
  const sourcedId = cells.sourcedId?.trim() ?? '';
  const isDeleted = cells.status?.trim().toLowerCase() === 'tobedeleted';
  const error = (messages: string[]): ParsedRow => ({
    sourcedId,
    isDeleted,
    wanted: {},
    action: 'error',
    messages,
  });
  if (hasExtraCells) return error([extraCellsMessage]);
  const { wanted, action = null, messages = [] } = (isDeleted ? parseDeletion : parseValues)(file, cells);
  if (checked.errors) return error([...Object.values(checked.errors).flat(), ...messages]);
  return action === 'error' ? error(messages) : { sourcedId, isDeleted, wanted, action, messages };
}

function parseValues(file: FileName, cells: Cells): Values {
  if (file === 'users') return parseUser(cells);
  const values = parse(schemas[file], cells);
  return file === 'enrollments' ? ignoreOthers(values) : values;
}

function parseDeletion(file: FileName, cells: Cells): Values {
  if (file !== 'enrollments') return { wanted: {} };
  return ignoreOthers(parse(deletedEnrollment, cells));
}

function parseUser(cells: Cells): Values {
  const checked = checkInput(user, cells);
  if (checked.errors) return invalid(checked.errors);
  const { givenName, familyName, role, enabledUser, email, username, sms } = checked.value;
  if (role === 'administrator')
    return {
      wanted: {},
      action: 'ignored',
      messages: [
        'An import cannot create or change administrators. Change the role of the account in Gradeway.',
      ],
    };
  // Siblings share phone numbers, so a number becomes the login only if there is no email address.
  const address = email || (username.includes('@') ? username : '');
  return {
    wanted: {
      firstName: givenName,
      lastName: familyName,
      role: userRoles[role as keyof typeof userRoles],
      email: address || null,
      mobile: address ? null : withoutSpacing(sms) || null,
      isEnabled: enabledUser === '' ? null : enabledUser === 'true',
    },
  };
}

// Auth's stored form of numbers, so that different spellings of the same number are equal.
const withoutSpacing = (number: string): string => number.replace(/[\s\p{Pd}]/gu, '');

function parse(schema: z.ZodType<Record<string, string>>, cells: Cells): Values {
  const checked = checkInput(schema, cells);
  return checked.errors ? invalid(checked.errors) : { wanted: checked.value };
}

const invalid = (errors: FieldErrors): Values => ({
  wanted: {},
  action: 'error',
  messages: Object.values(errors).flat(),
});

// Students are enrolled in a course, teachers and proctors are assigned to it. A deletion without a role may refer to either.
const rolesInCourse = ['student', 'teacher', 'proctor', ''];

function ignoreOthers(row: Values): Values {
  if (row.action === 'error' || rolesInCourse.includes(String(row.wanted.role))) return row;
  return {
    ...row,
    action: 'ignored',
    messages: ['Only students, teachers and proctors can be added to courses.'],
  };
}
