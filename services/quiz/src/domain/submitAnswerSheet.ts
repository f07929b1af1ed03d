import { inTransaction } from '@gradeway/shared/database/connection';
import { AppError, invalid, notFound } from '@gradeway/shared/errors/appError';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { FileLibrary, LibraryFile } from '@gradeway/shared/files/fileLibrary';
import type { Attestation } from '@gradeway/shared/files/receipts';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import type { NoteResult } from '@gradeway/shared/http/idempotency';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { Sequelize, Transaction } from 'sequelize';
import type { CoursesClient } from '../clients/coursesClient.ts';
import type { QuizRepository } from '../data/quizRepository.ts';
import type { StartRepository } from '../data/startRepository.ts';
import type { SubmissionRepository } from '../data/submissionRepository.ts';
import { submissionSubmitted } from '../events/submissionSubmitted.ts';
import type { Quiz } from './quiz.ts';
import { requirePending, type Submission } from './submission.ts';
import {
  type Attempt,
  deadlineOf,
  type Flag,
  flagsOf,
  recordedAttempt,
  requireWithinWindow,
} from './submissionWindow.ts';

interface Dependencies {
  sequelize: Sequelize;
  quizzes: QuizRepository;
  starts: StartRepository;
  submissions: SubmissionRepository;
  userProjection: UserProjection;
  courses: CoursesClient;
  files: FileLibrary;
  outbox: Outbox;
  /** Whether an attempt's time runs from what the student says, and not from what was recorded. */
  trustClientClock: boolean;
}

export interface AnswerSheet extends Attempt {
  studentId: number;
  courseId: number;
  quizId: number;
  classId: number | null;
  receivedAt: Date;
  file: ReceivedFile;
}

/** The sheet with what we know ourselves of its beginning. */
interface Examined extends AnswerSheet {
  recordedStartAt: Date | null;
  flags: Flag[];
  deadline: Date;
}

/**
 * Takes a student's answer sheet for a quiz. When this returns, the sheet is stored and committed, and what is
 * returned may be attested; when it throws, nothing of it is left.
 */
export async function submitAnswerSheet(
  dependencies: Dependencies,
  sheet: AnswerSheet,
  noteResult: NoteResult<Attestation>,
): Promise<Attestation> {
  const quiz = await requireAccess(dependencies, sheet);
  const examined = await examine(dependencies, sheet, quiz);
  await dependencies.userProjection.ensureLoaded([sheet.studentId]);

  const [file] = await dependencies.files.storePending([sheet.file]);
  if (!file) throw new Error('the answer sheet was not kept');
  try {
    return await inTransaction(dependencies.sequelize, async (transaction) => {
      const submission = await record(dependencies, examined, file, transaction);
      const attestation = attest(submission, examined);
      await noteResult(attestation, transaction);
      return attestation;
    });
  } catch (error) {
    await dependencies.files.discard([file]);
    throw error;
  }
}

// The order of the checks is the order of the answers (D25).
async function requireAccess({ courses, quizzes }: Dependencies, sheet: AnswerSheet): Promise<Quiz> {
  const { studentId, courseId, classId } = sheet;
  const access = await courses.checkAccess({ userId: studentId, courseId, classId });
  if (!access.courseExists) throw notFound('Course Not Found');
  const quiz = await quizzes.find(sheet.quizId);
  if (!quiz || quiz.courseId !== courseId) throw notFound();
  if (classId !== null && !access.classExists)
    throw invalid({ class_id: ['The selected class id is invalid.'] });
  if (!access.enrolled || !access.paid) throw new AppError('forbidden', 'PayFirstToAccessTheCourse');
  return quiz;
}

async function examine(
  { starts, trustClientClock }: Dependencies,
  sheet: AnswerSheet,
  quiz: Quiz,
): Promise<Examined> {
  const recorded = await starts.find(sheet);
  const attempt = trustClientClock ? sheet : recordedAttempt(sheet, recorded, quiz);
  requireWithinWindow(sheet.receivedAt, attempt, quiz);
  const flags = flagsOf({
    ...{ claimed: sheet.startAt, recorded },
    ...{ hasQuestions: quiz.questionsFileId !== null, trustsClient: trustClientClock },
  });
  return { ...sheet, recordedStartAt: recorded, flags, deadline: deadlineOf(attempt, quiz) };
}

/*
 * Of several uploads for one submission the first makes it and the others wait for its lock. The one that was
 * received last stays, even where an earlier one took longer to arrive; none of them is lost.
 */
async function record(
  { submissions, files, outbox }: Dependencies,
  examined: Examined,
  file: LibraryFile,
  transaction: Transaction,
): Promise<Submission> {
  await files.attach([file], transaction);
  const sheet = { ...examined, fileId: file.id };
  const { submission, created } = await submissions.lockOrCreate(sheet, transaction);
  if (created) {
    await outbox.add(submissionSubmitted(submission), transaction);
    return submission;
  }
  requirePending(submission);
  if (sheet.receivedAt < submission.submittedAt) {
    await submissions.keepReplaced(submission.id, sheet, transaction);
    return submission;
  }
  const replaced = await submissions.replaceSheet(submission, sheet, transaction);
  await outbox.add(submissionSubmitted(replaced), transaction);
  return replaced;
}

const attest = ({ id }: Submission, sheet: Examined): Attestation => ({
  kind: 'quiz',
  submissionId: id,
  studentId: sheet.studentId,
  files: [{ sha256: sheet.file.sha256, size: sheet.file.size }],
  receivedAt: sheet.receivedAt.toISOString(),
  deadline: sheet.deadline.toISOString(),
});
