import type { GradingTables } from '../grading/gradingTables.ts';

/** SQL for the columns of a `TimedSubmission`, from the submission `s`. */
export const timedSubmissionColumns = ({ itemId, courseId }: GradingTables): string => `
  s.id, s.${itemId} AS "itemId", ${courseId} AS "courseId", s.student_id AS "studentId", s.submitted_at AS "submittedAt",
  s.submitted_by AS "submittedBy", s.late_waived AS "lateWaived", s.state_revision AS "stateRevision"`;
