import { checkInput, fieldName, string, title } from '@gradeway/shared/http/validation';
import { z } from 'zod';

type FileName = 'users' | 'courses' | 'classes' | 'enrollments';

/** A row as it is planned: what it says, or why it cannot count. */
export interface ReadRow {
  sourcedId: string;
  /** `status` is `tobedeleted`. */
  isDeleted: boolean;
  wanted: Record<string, string | boolean | null>;
  action: 'error' | 'ignored' | null;
  messages: string[];
}

/** The columns that a file's header must name; of the others OneRoster 1.1 has, those that are there are read. */
export const requiredColumns: Record<FileName, readonly string[]> = {
  users: ['sourcedId', 'role', 'givenName', 'familyName', 'email'],
  courses: ['sourcedId', 'title'],
  classes: ['sourcedId', 'title', 'courseSourcedId'],
  enrollments: ['sourcedId', 'classSourcedId', 'userSourcedId', 'role'],
};

const longestText = 255;
const name = title(longestText);
const optional = string(longestText).transform((value) => value.trim());

const word = (words: readonly string[], what: string) =>
  z
    .string()
    .transform((value) => value.trim().toLowerCase())
    .refine((value) => value === '' || words.includes(value), {
      error: (issue) => `The ${fieldName(issue.path)} must be ${what}.`,
    });

const status = word(['active', 'tobedeleted'], 'active or tobedeleted');
const requiredWord = (words: readonly string[]) =>
  word(words, `one of ${words.join(', ')}`).refine((value) => value !== '', {
    error: (issue) => `The ${fieldName(issue.path)} field is required.`,
  });

const userRoles = {
  ...{ student: 'user', teacher: 'instructor', aide: 'instructor', proctor: 'instructor' },
  ...{ parent: 'parent', guardian: 'parent', relative: 'parent', administrator: 'admin' },
} as const;
const enrollmentRoles = ['administrator', 'proctor', 'student', 'teacher'];

const user = z.object({
  givenName: name,
  familyName: name,
  role: requiredWord(Object.keys(userRoles)),
  enabledUser: word(['true', 'false'], 'true or false').default(''),
  email: optional,
  username: optional.default(''),
  sms: optional.default(''),
});

const schemas = {
  courses: z.object({ title: name }),
  classes: z.object({ title: name, courseSourcedId: name }),
  enrollments: z.object({ classSourcedId: name, userSourcedId: name, role: requiredWord(enrollmentRoles) }),
};

const naming = z.object({ sourcedId: name, status: status.default('') });
// Of what is to be deleted the name says enough; an enrollment is found by what it connects, where that is said.
const connected = z.object({ classSourcedId: optional.default(''), userSourcedId: optional.default('') });

type Wanted = Pick<ReadRow, 'wanted'> & Partial<Pick<ReadRow, 'action' | 'messages'>>;

/** Reads one row of a OneRoster file, and says by column what is wrong with it. */
export function readRow(file: FileName, cells: Record<string, string>, isUneven: boolean): ReadRow {
  const named = checkInput(naming, cells);
  const sourcedId = cells.sourcedId?.trim() ?? '';
  const isDeleted = cells.status?.trim().toLowerCase() === 'tobedeleted';
  const refused = (messages: string[]): ReadRow => ({
    ...{ sourcedId, isDeleted, wanted: {}, action: 'error', messages },
  });
  if (isUneven) return refused(['The row has another number of cells than the first line has columns.']);
  const read = isDeleted ? readDeleted(file, cells) : readers[file](cells);
  const messages = [...(named.errors ? Object.values(named.errors).flat() : []), ...(read.messages ?? [])];
  if (named.errors || read.action === 'error') return refused(messages);
  return { sourcedId, isDeleted, wanted: read.wanted, action: read.action ?? null, messages };
}

const readers: Record<FileName, (cells: Record<string, string>) => Wanted> = {
  users: readUser,
  courses: (cells) => read(schemas.courses, cells),
  classes: (cells) => read(schemas.classes, cells),
  enrollments: (cells) => onlyStudents(read(schemas.enrollments, cells)),
};

function readDeleted(file: FileName, cells: Record<string, string>): Wanted {
  return file === 'enrollments'
    ? onlyStudents(read(connected, cells), cells.role?.trim().toLowerCase())
    : { wanted: {} };
}

function readUser(cells: Record<string, string>): Wanted {
  const checked = checkInput(user, cells);
  if (checked.errors) return { wanted: {}, action: 'error', messages: Object.values(checked.errors).flat() };
  const { givenName, familyName, role, enabledUser, email, username, sms } = checked.value;
  if (role === 'administrator')
    return {
      wanted: {},
      action: 'ignored',
      messages: ['No import makes or changes administrators: give the account its role in Gradeway.'],
    };
  // Siblings share a telephone: a number is taken for the login only where there is no address.
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

// As auth keeps numbers: two spellings are one number.
const withoutSpacing = (number: string): string => number.replace(/[\s\p{Pd}]/gu, '');

function read(schema: z.ZodType<Record<string, string>>, cells: Record<string, string>): Wanted {
  const checked = checkInput(schema, cells);
  return checked.errors
    ? { wanted: {}, action: 'error', messages: Object.values(checked.errors).flat() }
    : { wanted: checked.value };
}

// A course knows its students; who teaches it is nobody's affair yet.
function onlyStudents(row: Wanted, role = row.wanted.role): Wanted {
  if (row.action === 'error' || role === 'student' || role === '' || role === undefined) return row;
  return { ...row, action: 'ignored', messages: ['Only students are enrolled in courses.'] };
}
