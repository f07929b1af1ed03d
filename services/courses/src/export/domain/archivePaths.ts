import { archiveFolder, createArchiveNames } from '@gradeway/shared/files/archiveNames';
import type { SubmittedFile } from './submittedFiles.ts';

type PathSource = Pick<
  SubmittedFile,
  'itemId' | 'itemTitle' | 'submissionId' | 'studentId' | 'studentName' | 'name'
>;

// In bytes. With the kind and the separators, a path stays well below Windows' limit of 260 characters once extracted.
const maxTitleBytes = 80;
const maxStudentBytes = 80;
const maxNameBytes = 160;

/**
 * Returns a function that gives each file its path, such as `homework/Fractions (12)/Ada Lovelace (7) - answers.pdf`.
 * The ids make paths unique across submissions; the files of one submission arrive in sequence and are numbered.
 * State does not grow with the number of files.
 */
export function createArchivePaths(kind: string): (file: PathSource) => string {
  let submissionId: number | undefined;
  let nameOf: (original: string) => string;
  return (file) => {
    const { itemId, itemTitle, studentId, studentName, name } = file;
    if (file.submissionId !== submissionId) {
      submissionId = file.submissionId;
      const student = archiveFolder(studentName || 'Deleted user', ` (${studentId})`, maxStudentBytes);
      nameOf = createArchiveNames(`${student} - `, maxNameBytes);
    }
    return `${kind}/${archiveFolder(itemTitle, ` (${itemId})`, maxTitleBytes)}/${nameOf(name)}`;
  };
}
