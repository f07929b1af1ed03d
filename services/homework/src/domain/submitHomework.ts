import type { IdempotencyKey } from '@gradeway/shared/database/idempotencyStore';
import type { LibraryFile } from '@gradeway/shared/files/fileLibrary';
import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import type { Attestation } from '@gradeway/shared/files/receipts';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import { reduceReplacedFiles } from '@gradeway/shared/submissions/reduceReplacedFiles';
import type { Transaction } from 'sequelize';
import { submissionSubmitted } from '../events/submissionEvents.ts';
import { requireWithinDeadline } from './deadline.ts';
import type { UseCases } from './dependencies.ts';
import type { Homework } from './homework.ts';
import { requireOpened } from './opening.ts';
import { requireAccess } from './requireAccess.ts';
import { requireUngraded, type Submission, type Upload } from './submission.ts';

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
  requireOpened(upload.receivedAt, homework.opensAt);
  requireWithinDeadline(upload.receivedAt, homework.closesAt);
  await requirePdfs(dependencies.pdf, 'files', upload.files, upload.studentId);
  if (!homework.isStudentKnown) await dependencies.userProjection.ensureLoaded([upload.studentId]);

  return withStoredFiles(
    dependencies,
    upload.files,
    async (files, transaction) => {
      const submission = await saveSubmission(dependencies, upload, homework, files, transaction);
      const attestation = attest(submission, upload, homework);
      await dependencies.idempotency.recordResult(key, attestation, transaction);
      return attestation;
    },
    { personId: upload.studentId },
  );
}

/*
 * The first of several uploads creates the submission; the others wait for its lock. The files that were received last
 * are the current ones, even if an earlier upload took longer; the others are stored as replaced.
 */
async function saveSubmission(
  dependencies: UseCases,
  upload: Upload,
  homework: Homework,
  files: LibraryFile[],
  transaction: Transaction,
): Promise<Submission> {
  const { submissions, outbox } = dependencies;
  const created = await submissions.create(upload, files, transaction);
  if (created) {
    await outbox.add(submissionSubmitted(created, homework.courseId), transaction);
    return created;
  }
  const submission = await submissions.lockOfStudent(upload, transaction);
  requireUngraded(submission);
  const current = await saveOtherFiles(dependencies, submission, upload, homework, files, transaction);
  await reduceReplacedFiles(dependencies, submission.id, transaction);
  return current;
}

async function saveOtherFiles(
  { submissions, outbox }: UseCases,
  submission: Submission,
  { receivedAt }: Upload,
  { courseId }: Homework,
  files: LibraryFile[],
  transaction: Transaction,
): Promise<Submission> {
  if (receivedAt < submission.submittedAt) {
    await submissions.addReplacedFiles(submission.id, files, receivedAt, transaction);
    return submission;
  }
  const current = await submissions.replaceFiles(submission.id, files, receivedAt, transaction);
  await outbox.add(submissionSubmitted(current, courseId), transaction);
  return current;
}

const attest = ({ id }: Submission, upload: Upload, { closesAt }: Homework): Attestation => ({
  kind: 'homework',
  submissionId: id,
  studentId: upload.studentId,
  files: upload.files.map(({ sha256, size }) => ({ sha256, size })),
  receivedAt: upload.receivedAt.toISOString(),
  deadline: closesAt?.toISOString() ?? null,
});
