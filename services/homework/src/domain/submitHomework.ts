import { inTransaction } from '@gradeway/shared/database/connection';
import { AppError } from '@gradeway/shared/errors/appError';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { FileLibrary, LibraryFile } from '@gradeway/shared/files/fileLibrary';
import type { Attestation } from '@gradeway/shared/files/receipts';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import type { NoteResult } from '@gradeway/shared/http/idempotency';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { Sequelize, Transaction } from 'sequelize';
import type { CoursesClient } from '../clients/coursesClient.ts';
import type { HomeworkRepository } from '../data/homeworkRepository.ts';
import type { SubmissionRepository } from '../data/submissionRepository.ts';
import { submissionSubmitted } from '../events/submissionSubmitted.ts';
import { requireInTime } from './deadline.ts';
import { type Homework, homeworkNotFound } from './homework.ts';
import { requireNotReviewed, type Submission } from './submission.ts';

interface Dependencies {
  sequelize: Sequelize;
  homeworks: HomeworkRepository;
  submissions: SubmissionRepository;
  userProjection: UserProjection;
  courses: CoursesClient;
  files: FileLibrary;
  outbox: Outbox;
}

export interface Upload {
  classId: number;
  studentId: number;
  receivedAt: Date;
  files: ReceivedFile[];
}

/**
 * Takes a student's files for a class. When this returns, they are stored and committed, and what is returned may be
 * attested; when it throws, nothing of them is left.
 */
export async function submitHomework(
  dependencies: Dependencies,
  upload: Upload,
  noteResult: NoteResult<Attestation>,
): Promise<Attestation> {
  const homework = await requireAccess(dependencies, upload);
  requireInTime(upload.receivedAt, homework.deadline);
  await dependencies.userProjection.ensureLoaded([upload.studentId]);

  const kept = await dependencies.files.storePending(upload.files);
  try {
    return await inTransaction(dependencies.sequelize, async (transaction) => {
      const submission = await record(dependencies, upload, homework, kept, transaction);
      const attestation = attest(submission, upload, homework);
      await noteResult(attestation, transaction);
      return attestation;
    });
  } catch (error) {
    await dependencies.files.discard(kept);
    throw error;
  }
}

// The order of the checks is the order of the answers, as for a quiz (D25).
async function requireAccess(
  { courses, homeworks }: Dependencies,
  { classId, studentId }: Upload,
): Promise<Homework> {
  const homework = await homeworks.find(classId);
  if (!homework) throw homeworkNotFound();
  const { courseId } = homework;
  const access = await courses.checkAccess({ userId: studentId, courseId, classId });
  if (!access.classExists) throw homeworkNotFound();
  if (!access.enrolled || !access.paid) throw new AppError('forbidden', 'PayFirstToAccessTheCourse');
  return homework;
}

/*
 * Of several uploads for one submission the first makes it and the others wait for its lock. The one that was
 * received last stays, even where an earlier one took longer to arrive; none of them is lost.
 */
async function record(
  { submissions, files, outbox }: Dependencies,
  { classId, studentId, receivedAt }: Upload,
  { courseId }: Homework,
  kept: LibraryFile[],
  transaction: Transaction,
): Promise<Submission> {
  await files.attach(kept, transaction);
  const handedIn = { files: kept, submittedAt: receivedAt };
  const { submission, created } = await submissions.lockOrCreate(
    { classId, studentId, submittedAt: receivedAt },
    transaction,
  );
  requireNotReviewed(submission);
  if (!created && receivedAt < submission.submittedAt) {
    await submissions.keepReplaced(submission.id, handedIn, transaction);
    return submission;
  }
  const present = await submissions.replaceFiles(submission.id, handedIn, transaction);
  await outbox.add(submissionSubmitted(present, courseId), transaction);
  return present;
}

const attest = ({ id }: Submission, upload: Upload, { deadline }: Homework): Attestation => ({
  kind: 'homework',
  submissionId: id,
  studentId: upload.studentId,
  files: upload.files.map(({ sha256, size }) => ({ sha256, size })),
  receivedAt: upload.receivedAt.toISOString(),
  deadline: deadline?.toISOString() ?? null,
});
