import type { HandInTarget } from '@gradeway/shared/items/handIn';
import type { UseCases } from './dependencies.ts';
import { isReviewed } from './submission.ts';
import { saveSubmission } from './submitHomework.ts';

/** Stores homework handed in by staff. */
export const handInFiles = (dependencies: UseCases): HandInTarget => ({
  service: 'homework',
  field: 'files',
  async save({ itemId, courseId, ...work }, files, transaction, requireReplaceable) {
    const upload = { ...work, classId: itemId };
    const submission = await saveSubmission(
      dependencies,
      upload,
      { courseId },
      files,
      transaction,
      (existing) => requireReplaceable({ id: existing.id, isGraded: isReviewed(existing) }),
    );
    return submission.id;
  },
});
