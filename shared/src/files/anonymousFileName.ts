/** The name of a file of an anonymous submission, by its position. */
export const anonymousFileName = (index: number): string =>
  index === 0 ? 'answer.pdf' : `answer (${index + 1}).pdf`;

/** Whether a link was signed for a reader who downloads the file under this name, rather than for a person. */
export const isAnonymousFileName = (reader: string): boolean => /^answer( \(\d+\))?\.pdf$/.test(reader);
