import { expect, test } from 'vitest';
import { ApiError } from '../api/apiError.ts';
import { refusalOf } from './refusal.ts';

const refused = (fields: Record<string, string[]> | null) => new ApiError(422, 'Invalid Data', { fields });

test('a message stands at its field', () => {
  const error = refused({ title: ['The title field is required.', 'Another.'] });
  expect(refusalOf(error, ['title'])).toEqual({
    fields: { title: 'The title field is required.' },
    general: '',
  });
});

test('a message about a field that the form does not show is not lost', () => {
  const error = refused({ title: ['Too long.'], course_id: ['Wrong course.'] });
  expect(refusalOf(error, ['title'])).toEqual({ fields: { title: 'Too long.' }, general: 'Wrong course.' });
});

test('without fields the message itself is shown', () => {
  const message = 'The last administrator cannot be deleted, blocked or given another role.';
  expect(refusalOf(new ApiError(409, message), ['role'])).toEqual({ fields: {}, general: message });
});
