/** The student for whom a link to the question PDF of a quiz was issued. */
export interface QuestionPdfReader {
  quizId: number;
  studentId: number;
}

/** Encodes the reader for the link, whose signature covers it. */
export const encodeReader = ({ quizId, studentId }: QuestionPdfReader): string => `${quizId}.${studentId}`;

/** Decodes the reader of a link whose signature was verified. */
export function decodeReader(encoded: string): QuestionPdfReader {
  const [quizId, studentId] = encoded.split('.').map(Number);
  if (!quizId || !studentId) throw new Error('the reader of a signed link is malformed');
  return { quizId, studentId };
}
