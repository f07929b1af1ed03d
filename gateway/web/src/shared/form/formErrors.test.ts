import { expect, test } from 'vitest';
import { ApiError } from '../api/apiError.ts';
import { formErrorsOf } from './formErrors.ts';

const labels: Record<string, string> = { closes_at: 'Closes', title: 'Title' };
const labelOf = (field: string) => labels[field] ?? field;
const refused = (fields: Record<string, string[]> | null) => new ApiError(422, 'Invalid Data', { fields });

test('a message is shown at its field', () => {
  const error = refused({ title: ['The title field is required.', 'Another.'] });
  expect(formErrorsOf(error, ['title'], labelOf)).toEqual({
    fields: { title: '“Title” is required.' },
    general: '',
  });
});

test('a message about a field that the form does not show is not lost', () => {
  const error = refused({ title: ['Too long.'], course_id: ['Wrong course.'] });
  expect(formErrorsOf(error, ['title'], labelOf)).toEqual({
    fields: { title: 'Too long.' },
    general: 'Wrong course.',
  });
});

test('an error without fields shows its message', () => {
  const message = 'The last administrator cannot be deleted, blocked or given another role.';
  expect(formErrorsOf(new ApiError(409, message), ['role'], labelOf)).toEqual({
    fields: {},
    general: message,
  });
});

test.each([
  [
    'closes_at',
    'The closes at does not match the format YYYY-MM-DDTHH:mm:ss.',
    '“Closes” does not match the format YYYY-MM-DDTHH:mm:ss.',
  ],
  [
    'closes_at',
    'The closing time must be after the opening time.',
    'The closing time must be after the opening time.',
  ],
  ['file', 'The file must be a valid PDF.', 'The file must be a valid PDF.'],
])('a message about %s uses the label of the field: %s', (field, message, shown) => {
  expect(formErrorsOf(refused({ [field]: [message] }), [field], labelOf).fields[field]).toBe(shown);
});
