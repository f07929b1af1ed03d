import { ApiError, isPassing } from '../../shared/api/apiError.ts';

/** Explains in English why a file cannot be displayed. `isFinal`: retrying does not help. */
export function failureOf(error: unknown): { title: string; advice: string; isFinal?: boolean } {
  if (error instanceof ApiError && error.status === 404)
    return {
      title: 'This file no longer exists',
      advice: 'The school has lost it. You can still grade the submission, or ask for the file again.',
      isFinal: true,
    };
  if (error instanceof ApiError && isPassing(error))
    return {
      title: 'This part of the school is not responding',
      advice: 'The rest still works. Try again in a moment.',
    };
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException')
    return {
      title: 'This file is protected by a password',
      advice: 'Its pages cannot be shown. You can still grade it.',
    };
  if (damaged.has(name))
    return { title: 'This file is damaged', advice: 'Its pages cannot be shown. You can still grade it.' };
  return {
    title: 'The file could not be loaded',
    advice: 'Check your connection. You can still grade it.',
  };
}

/** Exceptions of pdf.js for files that are damaged or not PDFs. */
const damaged = new Set([
  'InvalidPDFException',
  'FormatError',
  'UnknownErrorException',
  'MissingPDFException',
  'ResponseException',
]);
