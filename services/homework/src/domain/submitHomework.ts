import type { IdempotencyKey } from '@gradeway/shared/database/idempotencyStore';
import type { LibraryFile } from '@gradeway/shared/files/fileLibrary';
import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import type { Attestation } from '@gradeway/shared/files/receipts';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import { ownTimes } from '@gradeway/shared/items/ownTimes';
import type { PersonalTimes } from '@gradeway/shared/items/personalTimes';
import { replaceGraded } from '@gradeway/shared/items/replaceGraded';
import { reduceReplacedFiles } from '@gradeway/shared/submissions/reduceReplacedFiles';
import type { Transaction } from 'sequelize';
import { submissionSubmitted } from '../events/submissionEvents.ts';
import { requireWithinDeadline } from './deadline.ts';
import type { UseCases } from './dependencies.ts';
import type { Homework } from './homework.ts';
import { requireAccess } from './requireAccess.ts';
import { isReviewed, type StoredUpload, type SubmittedFiles, type Upload } from './submission.ts';

/**
 * Accepts a student's files for a class. When it returns, files, submission, event and result are committed; when it
 * throws, nothing is left behind.
 */
export async function submitHomework(
  dependencies: UseCases,
  upload: Upload,
  key: IdempotencyKey | undefined,
): Promise<Attestation> {
  const homework = await requireAccess(dependencies, upload);
  const times = ownTimes(homework);
  requireWithinDeadline(upload.receivedAt, times);
  await requirePdfs(dependencies.pdf, 'files', upload.files, upload.studentId);
  if (!homework.isStudentKnown) await dependencies.userProjection.ensureLoaded([upload.studentId]);

  return withStoredFiles(
    dependencies,
    upload.files,
    async (files, transaction) => {
      const submission = await saveSubmission(
        dependencies,
        { ...upload, submittedBy: null },
        homework,
        files,
        transaction,
      );
      const attestation = attest(submission, upload, times);
      await dependencies.idempotency.recordResult(key, attestation, transaction);
      return attestation;
    },
    { personId: upload.studentId },
  );
}

/*
 * The first of several uploads creates the submission; the others wait for its lock. The files that were received last
 * are the current ones, even if an earlier upload took longer; the others are stored as replaced. `requireReplaceable` is
 * called with the existing submission.
 */
export async function saveSubmission(
  dependencies: UseCases,
  upload: StoredUpload,
  homework: Pick<Homework, 'courseId'>,
  files: LibraryFile[],
  transaction: Transaction,
  requireReplaceable?: (existing: SubmittedFiles) => void,
): Promise<SubmittedFiles> {
  const { submissions, outbox } = dependencies;
  const created = await submissions.create(upload, files, transaction);
  if (created) {
    await outbox.add(submissionSubmitted(created, homework.courseId), transaction);
    return created;
  }
  const submission = await submissions.lockOfStudent(upload, transaction);
  requireReplaceable?.(submission);
  const current = await saveOtherFiles(dependencies, submission, upload, homework, files, transaction);
  await reduceReplacedFiles(dependencies, submission.id, transaction);
  return current;
}

async function saveOtherFiles(
  dependencies: UseCases,
  submission: SubmittedFiles,
  upload: StoredUpload,
  { courseId }: Pick<Homework, 'courseId'>,
  files: LibraryFile[],
  transaction: Transaction,
): Promise<SubmittedFiles> {
  const { submissions, outbox } = dependencies;
  const becomeCurrent = upload.receivedAt >= submission.submittedAt;
  if (isReviewed(submission)) {
    const graded = { ...submission, itemId: submission.classId, courseId };
    await replaceGraded(dependencies, graded, becomeCurrent, transaction);
  }
  if (!becomeCurrent) {
    await submissions.addReplacedFiles(submission.id, files, upload.receivedAt, transaction);
    return submission;
  }
  const current = await submissions.replaceFiles(submission, files, upload, transaction);
  await outbox.add(submissionSubmitted(current, courseId), transaction);
  return current;
}

const attest = (
  { id }: Pick<SubmittedFiles, 'id'>,
  upload: Upload,
  { closesAt }: PersonalTimes,
): Attestation => ({
  kind: 'homework',
  submissionId: id,
  studentId: upload.studentId,
  files: upload.files.map(({ sha256, size }) => ({ sha256, size })),
  receivedAt: upload.receivedAt.toISOString(),
  deadline: closesAt?.toISOString() ?? null,
});
