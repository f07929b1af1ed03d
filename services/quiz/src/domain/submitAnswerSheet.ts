import type { IdempotencyKey } from '@gradeway/shared/database/idempotencyStore';
import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import type { Attestation } from '@gradeway/shared/files/receipts';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import { replaceGraded } from '@gradeway/shared/items/replaceGraded';
import { reduceReplacedFiles } from '@gradeway/shared/submissions/reduceReplacedFiles';
import type { Transaction } from 'sequelize';
import { submissionSubmitted } from '../events/submissionEvents.ts';
import type { AnswerSheet, AssessedSheet, StoredSheet } from './answerSheet.ts';
import type { UseCases } from './dependencies.ts';
import { type AccessibleQuiz, requireAccess } from './requireAccess.ts';
import { isGraded, type SubmittedSheet } from './submission.ts';
import { deadlineOf, requireWithinWindow, startFlags, trustedAttempt } from './submissionWindow.ts';

/**
 * Accepts a student's answer sheet for a quiz. When it returns, file, submission, event and result are committed; when
 * it throws, nothing is left behind.
 */
export async function submitAnswerSheet(
  dependencies: UseCases,
  sheet: AnswerSheet,
  key: IdempotencyKey | undefined,
): Promise<Attestation> {
  const quiz = await requireAccess(dependencies, sheet);
  const assessed = assess(dependencies, sheet, quiz);
  await requirePdfs(dependencies.pdf, 'file', [sheet.file], sheet.studentId);
  if (!quiz.isStudentKnown) await dependencies.userProjection.ensureLoaded([sheet.studentId]);

  return withStoredFiles(
    dependencies,
    [sheet.file],
    async ([file], transaction) => {
      const submission = await saveSubmission(
        dependencies,
        { ...assessed, submittedBy: null },
        file.id,
        transaction,
      );
      const attestation = attest(submission, assessed);
      await dependencies.idempotency.recordResult(key, attestation, transaction);
      return attestation;
    },
    { personId: sheet.studentId },
  );
}

function assess(
  { trustClientClock }: Pick<UseCases, 'trustClientClock'>,
  sheet: AnswerSheet,
  quiz: AccessibleQuiz,
): AssessedSheet {
  const { recordedStartAt, times } = quiz;
  const attempt = trustClientClock ? sheet : trustedAttempt(sheet, recordedStartAt, times);
  requireWithinWindow(sheet.receivedAt, attempt, times);
  const flags = startFlags({
    startAt: sheet.startAt,
    recordedStartAt,
    hasQuestionPdf: quiz.questionsFileId !== null,
    trustClientClock,
  });
  return { ...sheet, recordedStartAt, flags, deadline: deadlineOf(attempt, times) };
}

/*
 * The first of several uploads creates the submission; the others wait for its lock. The sheet that was received last
 * is the current one, even if an earlier upload took longer; the others are stored as replaced. `requireReplaceable` is called
 * with the existing submission.
 */
export async function saveSubmission(
  dependencies: UseCases,
  sheet: StoredSheet,
  fileId: number | null,
  transaction: Transaction,
  requireReplaceable?: (existing: SubmittedSheet) => void,
): Promise<SubmittedSheet> {
  const { submissions, outbox } = dependencies;
  const created = await submissions.create(sheet, fileId, transaction);
  if (created) {
    await outbox.add(submissionSubmitted(created), transaction);
    return created;
  }
  const submission = await submissions.lockOfStudent(sheet, transaction);
  requireReplaceable?.(submission);
  const current = await saveAnotherSheet(dependencies, submission, sheet, fileId, transaction);
  await reduceReplacedFiles(dependencies, submission.id, transaction);
  return current;
}

async function saveAnotherSheet(
  dependencies: UseCases,
  submission: SubmittedSheet,
  sheet: StoredSheet,
  fileId: number | null,
  transaction: Transaction,
): Promise<SubmittedSheet> {
  const { submissions, outbox } = dependencies;
  const becomesCurrent = sheet.receivedAt >= submission.submittedAt;
  if (isGraded(submission)) {
    const graded = { ...submission, itemId: submission.quizId };
    await replaceGraded(dependencies, graded, becomesCurrent, transaction);
  }
  if (!becomesCurrent) {
    if (fileId !== null) await submissions.addReplacedSheet(submission.id, sheet, fileId, transaction);
    return submission;
  }
  const replaced = await submissions.replaceSheet(submission, sheet, fileId, transaction);
  await outbox.add(submissionSubmitted(replaced), transaction);
  return replaced;
}

const attest = ({ id }: Pick<SubmittedSheet, 'id'>, sheet: AssessedSheet): Attestation => ({
  kind: 'quiz',
  submissionId: id,
  studentId: sheet.studentId,
  files: [{ sha256: sheet.file.sha256, size: sheet.file.size }],
  receivedAt: sheet.receivedAt.toISOString(),
  deadline: sheet.deadline.toISOString(),
});
