import type { HandInTarget } from '@gradeway/shared/items/handIn';
import type { UseCases } from './dependencies.ts';
import { saveSubmission } from './submitAnswerSheet.ts';

/** Stores answer sheets that staff hand in. They belong to no attempt, so their start is the time of receipt. */
export const handInSheet = (dependencies: UseCases): HandInTarget => ({
  service: 'quiz',
  field: 'file',
  async save({ itemId, ...work }, [file], transaction, requireReplaceable) {
    const { courseId, studentId, submittedBy, receivedAt } = work;
    const attempt = { startAt: receivedAt, durationMinutes: 0, recordedStartAt: null, flags: [] };
    const sheet = { quizId: itemId, classId: null, courseId, studentId, submittedBy, receivedAt, ...attempt };
    const fileId = file?.id ?? null;
    const submission = await saveSubmission(dependencies, sheet, fileId, transaction, ({ id, grade }) =>
      requireReplaceable({ id, isGraded: grade !== null }),
    );
    return submission.id;
  },
});
