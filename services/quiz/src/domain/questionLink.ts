/** Who opens which quiz's questions. */
export interface Opening {
  quizId: number;
  studentId: number;
}

/** What a student's own link to a question PDF says, under its signature, of who opens it. */
export const readerOf = ({ quizId, studentId }: Opening): string => `${quizId}.${studentId}`;

/** The same read back. Only what we have signed comes here. */
export function openingBy(reader: string): Opening {
  const [quizId, studentId] = reader.split('.').map(Number);
  if (!quizId || !studentId) throw new Error('a signed link names neither quiz nor student');
  return { quizId, studentId };
}
