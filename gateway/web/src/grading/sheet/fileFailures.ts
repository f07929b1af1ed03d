/** What a failure to show a file means, as English texts. */
export function failureOf(error: unknown): { title: string; advice: string } {
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

/** The exceptions of pdf.js for files that are not PDFs or are damaged. */
const damaged = new Set([
  'InvalidPDFException',
  'FormatError',
  'UnknownErrorException',
  'MissingPDFException',
  'ResponseException',
]);
