/** The student for whom a link to the exercises of an assignment was issued. */
export interface AssignmentReader {
  classId: number;
  studentId: number;
}

/** Encodes the reader for the link, whose signature covers it. */
export const encodeReader = ({ classId, studentId }: AssignmentReader): string => `${classId}.${studentId}`;

/** Decodes the reader of a link whose signature was verified. */
export function decodeReader(encoded: string): AssignmentReader {
  const [classId, studentId] = encoded.split('.').map(Number);
  if (!classId || !studentId) throw new Error('the reader of a signed link is malformed');
  return { classId, studentId };
}
