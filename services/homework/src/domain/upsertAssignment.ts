import { AppError } from '@gradeway/shared/errors/appError';
import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import { ChangedMeanwhile } from '@gradeway/shared/grading/changedMeanwhile';
import { isExpected } from '@gradeway/shared/grading/entityTags';
import { auditVisibility } from '@gradeway/shared/items/auditVisibility';
import { changeEvents } from '@gradeway/shared/items/changeEvents';
import { itemTag } from '@gradeway/shared/items/managedItem';
import type { ItemUpload } from '@gradeway/shared/items/managedKind';
import { releasedAtAfter } from '@gradeway/shared/items/releasedAtAfter';
import { requireConsistent } from '@gradeway/shared/items/requireConsistent';
import type { Transaction } from 'sequelize';
import { auditAssignment, hasChanged } from './auditAssignment.ts';
import type { UseCases } from './dependencies.ts';
import {
  type AssignmentProperties,
  homeworkNotFound,
  managedHomework,
  publishedHomework,
  type StoredAssignment,
} from './homework.ts';
import { primeClassProjection } from './primeClassProjection.ts';

export type AssignmentDependencies = Pick<
  UseCases,
  'sequelize' | 'homeworks' | 'projections' | 'courses' | 'files' | 'pdf' | 'outbox' | 'audit'
>;

export type AssignmentChanges = Partial<AssignmentProperties> & {
  /** Removes the PDF of the assignment. */
  clearsFile?: boolean;
};

interface Terms {
  /** Whether a new assignment is published if the changes do not specify it. */
  publishes?: boolean;
  /** `existing` rejects a class without an assignment, and `none` rejects a class with an assignment. */
  requires?: 'existing' | 'none';
  /** The states that the caller expects of an existing assignment. */
  expected?: string[] | 'any';
  /** Adds further records to the assignment, in the same transaction. */
  addTo?(transaction: Transaction): Promise<void>;
}

/**
 * Creates the assignment of a class, or changes the given properties of an existing one. Restores a removed assignment
 * with its submissions. A new PDF replaces the old one. `created` is true if the class had no assignment before.
 * @throws ChangedMeanwhile when the assignment is not in an expected state
 * @throws AppError `conflict` when an assignment that has submissions would become a draft
 */
export async function upsertAssignment(
  dependencies: AssignmentDependencies,
  classId: number,
  { clearsFile = false, ...changes }: AssignmentChanges,
  upload: ItemUpload,
  { publishes = true, requires, expected = 'any', addTo }: Terms = {},
): Promise<{ created: boolean }> {
  const { homeworks, files, pdf, outbox, audit } = dependencies;
  if (!(await primeClassProjection(dependencies, classId))) throw homeworkNotFound();
  await requirePdfs(pdf, 'file', upload.files, upload.userId);
  return withStoredFiles(dependencies, upload.files, async ([file], transaction) => {
    const found = await homeworks.lockClass(classId, transaction);
    // The event that deletes the class may have arrived after the response of courses.
    if (!found || found.isDeleted) throw homeworkNotFound();
    const { assignment: before, hasAssignment: exists } = found;
    if (!exists && requires === 'existing') throw homeworkNotFound();
    if (exists && requires === 'none')
      throw new AppError('conflict', 'Assignment exists', { reason: 'assignment_exists' });
    const wanted: StoredAssignment = {
      ...before,
      ...(!exists && { published: publishes }),
      ...changes,
      ...releasedAtAfter(before, changes, new Date()),
      fileId: file?.id ?? (clearsFile ? null : before.fileId),
    };
    requireConsistent(wanted);
    if (!isExpected(expected, itemTag(managedHomework(found, before)))) throw new ChangedMeanwhile(before);
    if (exists && before.published && !wanted.published) await requireNoSubmissions(classId, transaction);
    if (exists && !hasChanged(before, wanted)) return { created: false };

    const after = { ...wanted, revision: before.revision + 1 };
    await homeworks.saveAssignment(classId, after, transaction);
    if (before.fileId !== null && before.fileId !== after.fileId)
      await files.remove([before.fileId], transaction);
    const states = [
      before.revision === 0 && !exists ? null : publishedHomework(found, before, !exists),
      publishedHomework(found, after),
    ] as const;
    await outbox.add(changeEvents('homework', ...states), transaction);
    await auditAssignment(audit, classId, exists ? before : null, after, transaction);
    await auditVisibility(audit, 'assignment', ...states, transaction);
    await addTo?.(transaction);
    return { created: !exists };
  });

  async function requireNoSubmissions(id: number, transaction: Transaction): Promise<void> {
    if (await homeworks.hasSubmissions(id, transaction))
      throw new AppError('conflict', 'Submissions exist', { reason: 'has_submissions' });
  }
}
