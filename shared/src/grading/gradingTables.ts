/**
 * The names in which the tables of quiz and homework differ, as SQL. Conditions and expressions refer to the submission as
 * `submissions s`.
 */
export interface GradingTables {
  /** The column of the item that a submission is for. */
  itemId: 'quiz_id' | 'class_id';
  /** The column of the grade, in `submissions` and `gradings`. */
  grade: 'grade' | 'rating';
  /** The column of the total grade there; undefined where every grade is out of 10. */
  totalGrade: 'total_grade' | undefined;
  /** The conditions of the indexes `submissions_graded` and `submissions_ungraded`. */
  isGraded: string;
  isUngraded: string;
  /** The course that events name. */
  courseId: string;
  /** The course whose instructors grade, also of a removed item: that of the item. */
  itemCourseId: string;
  /** The title of the item, also of a removed one. */
  title: string;
  /** The total grade that the item itself sets, or null. */
  itemTotal: string;
  /** A query for the `file_id` of the present files of the submission. */
  presentFiles: string;
  /** A query for the `file_id` of the files that the submission had before. */
  replacedFiles: string;
  /**
   * A query for the items that are not removed: `id`, `title`, `course_id`, `total_grade`, `closes_at`, `created_at`, and what
   * describes one of them: `opens_at`, `duration_minutes`, `questions_count`, `description`, `file_id`.
   */
  items: string;
  /** Further columns of a row of the queue, as `, expression AS "name"`; empty without any. */
  rowColumns: string;
}

/** SQL of the total of a graded submission, and null for an ungraded one. */
export const totalOf = ({ totalGrade, isGraded }: GradingTables): string =>
  totalGrade ? `s.${totalGrade}::float8` : `CASE WHEN ${isGraded} THEN 10 END`;
