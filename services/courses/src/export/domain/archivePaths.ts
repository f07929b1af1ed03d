import { archiveFolder, createArchiveNames } from '@gradeway/shared/files/archiveNames';
import { annotatedFileName } from '@gradeway/shared/files/cleanFileName';
import { deletedUserName } from '@gradeway/shared/projections/deletedUserName';
import type { SubmittedFile } from './submittedFiles.ts';

type PathSource = Pick<
  SubmittedFile,
  'itemId' | 'itemTitle' | 'submissionId' | 'studentId' | 'studentName' | 'name' | 'isCopy'
>;

// In bytes. With the kind and the separators, extracted paths stay well below Windows' limit of 260 characters.
const maxTitleBytes = 80;
const maxStudentBytes = 80;
const maxNameBytes = 160;

/**
 * Returns a function that assigns each file its path, such as `homework/Fractions (12)/Ada Lovelace (7) - answers.pdf`.
 * The ids make paths unique across submissions; the files of one submission arrive in sequence and are numbered. A copy
 * is named after the preceding file: `… - answers (annotated).pdf`. The function's state does not grow with the number
 * of files.
 */
export function createArchivePaths(kind: string): (file: PathSource) => string {
  let submissionId: number | undefined;
  let nameOf: (original: string) => string;
  let prefix = '';
  let last = '';
  return (file) => {
    const { itemId, itemTitle, studentId, studentName, name, isCopy } = file;
    if (file.submissionId !== submissionId) {
      submissionId = file.submissionId;
      prefix = `${archiveFolder(studentName || deletedUserName, ` (${studentId})`, maxStudentBytes)} - `;
      nameOf = createArchiveNames(prefix, maxNameBytes);
    }
    last = nameOf(isCopy ? annotatedFileName(last.slice(prefix.length)) : name);
    return `${kind}/${archiveFolder(itemTitle, ` (${itemId})`, maxTitleBytes)}/${last}`;
  };
}
