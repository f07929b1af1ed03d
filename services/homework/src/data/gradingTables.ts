import type { GradingTables } from '@gradeway/shared/grading/gradingTables';
import { settingNames, settingsColumns } from '@gradeway/shared/items/settingsColumns';

const ofClass = (column: string) => `(SELECT k.${column} FROM classes k WHERE k.class_id = s.class_id)`;
const filesWhere = (condition: string) =>
  `SELECT sf.file_id FROM submission_files sf WHERE sf.submission_id = s.id AND sf.replaced_at ${condition}`;

const settings = settingNames.map((name) => `a.${name}`).join(', ');

/** The grading tables of the homework service. */
export const gradingTables: GradingTables = {
  item: { table: 'assignments', id: 'class_id', closesAt: 'deadline' },
  itemId: 'class_id',
  grade: 'rating',
  totalGrade: undefined,
  isGraded: 's.graded_by IS NOT NULL',
  isUngraded: 's.graded_by IS NULL',
  courseId: ofClass('course_id'),
  itemCourseId: ofClass('course_id'),
  title: ofClass('title'),
  itemTotal: '10',
  presentFiles: filesWhere('IS NULL'),
  replacedFiles: filesWhere('IS NOT NULL'),
  items: `
    SELECT k.class_id AS id, k.title, k.course_id, 10 AS total_grade, a.deadline AS closes_at, k.created_at,
      a.opens_at, NULL::numeric AS duration_minutes, NULL::integer AS questions_count, a.description, a.file_id,
      a.created_at AS item_created_at, a.revision, ${settings}
    FROM classes k JOIN assignments a USING (class_id) WHERE k.is_listed`,
  publishedItems: `
    SELECT k.class_id AS id, k.course_id AS "courseId", k.title, 10 AS "totalGrade",
      item.opens_at AS "opensAt", item.deadline AS "closesAt", item.created_at AS "createdAt",
      NOT k.is_listed AS "isDeleted", item.revision, ${settingsColumns('item')}
    FROM assignments item JOIN classes k USING (class_id)`,
  rowColumns: '',
};
