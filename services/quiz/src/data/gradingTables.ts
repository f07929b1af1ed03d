import type { GradingTables } from '@gradeway/shared/grading/gradingTables';
import { settingNames, settingsColumns } from '@gradeway/shared/items/settingsColumns';

const settings = settingNames.join(', ');

/** The grading tables of the quiz service. */
export const gradingTables: GradingTables = {
  item: { table: 'quizzes', id: 'id', closesAt: 'closes_at' },
  itemId: 'quiz_id',
  grade: 'grade',
  totalGrade: 'total_grade',
  isGraded: 's.total_grade IS NOT NULL',
  isUngraded: 's.total_grade IS NULL',
  courseId: 's.course_id',
  itemCourseId: '(SELECT q.course_id FROM quizzes q WHERE q.id = s.quiz_id)',
  title: '(SELECT q.title FROM quizzes q WHERE q.id = s.quiz_id)',
  itemTotal: '(SELECT q.total_grade::float8 FROM quizzes q WHERE q.id = s.quiz_id)',
  presentFiles: 'SELECT s.file_id WHERE s.file_id IS NOT NULL',
  replacedFiles: 'SELECT r.file_id FROM replaced_sheets r WHERE r.submission_id = s.id',
  items: `
    SELECT id, title, course_id, total_grade, closes_at, created_at, opens_at, duration_minutes, questions_count,
      NULL::text AS description, questions_file_id AS file_id, created_at AS item_created_at, revision, ${settings}
    FROM quizzes WHERE deleted_at IS NULL`,
  publishedItems: `
    SELECT item.id, item.course_id AS "courseId", item.title, item.total_grade::float8 AS "totalGrade",
      item.opens_at AS "opensAt", item.closes_at AS "closesAt", item.created_at AS "createdAt",
      item.deleted_at IS NOT NULL AS "isDeleted", item.revision, ${settingsColumns('item')}
    FROM quizzes item`,
  rowColumns: ', s.start_at AS "startAt", s.recorded_start_at AS "recordedStartAt", s.flags',
};
