import { archiveFolder, createArchiveNames } from '@gradeway/shared/files/archiveNames';
import type { SubmittedContent } from './submittedFiles.ts';

type Named = Pick<
  SubmittedContent,
  'itemId' | 'itemTitle' | 'submissionId' | 'studentId' | 'studentName' | 'name'
>;

// In bytes; together, with a few for the kind, still a path where 260 characters are all there is.
const longestTitle = 80;
const longestStudent = 80;
const longestName = 160;

/**
 * Where each file of a course's archive is: `homework/Fractions (12)/Ada Lovelace (7) - answers.pdf`. The ids make it
 * unique; files of one submission, which come after each other, are numbered. Nothing grows with the number of files.
 */
export function createSubmissionPaths(kind: string): (file: Named) => string {
  let submissionId: number | undefined;
  let nameOf: (original: string) => string;
  return (file) => {
    const { itemId, itemTitle, studentId, studentName, name } = file;
    if (file.submissionId !== submissionId) {
      submissionId = file.submissionId;
      const student = archiveFolder(studentName || 'Deleted user', ` (${studentId})`, longestStudent);
      nameOf = createArchiveNames(`${student} - `, longestName);
    }
    return `${kind}/${archiveFolder(itemTitle, ` (${itemId})`, longestTitle)}/${nameOf(name)}`;
  };
}
