/**
 * The names that differ between the tables of quiz and homework, as SQL. Conditions and expressions refer to the
 * submission as `submissions s`.
 */
export interface GradingTables {
  /** The table with the settings of items, with its primary key and the column of the closing time. */
  item:
    | { table: 'quizzes'; id: 'id'; closesAt: 'closes_at' }
    | { table: 'assignments'; id: 'class_id'; closesAt: 'deadline' };
  /** The column of the item that a submission is for. */
  itemId: 'quiz_id' | 'class_id';
  /** The column of the grade, in `submissions` and `gradings`. */
  grade: 'grade' | 'rating';
  /** The column of the total grade in the same tables; undefined if every grade is out of 10. */
  totalGrade: 'total_grade' | undefined;
  /** The conditions of the indexes `submissions_graded` and `submissions_ungraded`. */
  isGraded: string;
  isUngraded: string;
  /** The course that the events contain. */
  courseId: string;
  /** The course of the item, removed or not; its instructors grade the submissions. */
  itemCourseId: string;
  /** The title of the item, removed or not. */
  title: string;
  /** The total grade that the item itself sets, or null. */
  itemTotal: string;
  /** A query for the `file_id` of the current files of the submission. */
  presentFiles: string;
  /** A query for the `file_id` of the earlier files of the submission. */
  replacedFiles: string;
  /**
   * A query for the items that are not removed: `id`, `title`, `course_id`, `total_grade`, `closes_at`, `created_at`, and
   * for one item `opens_at`, `duration_minutes`, `questions_count`, `description`, `file_id`, `item_created_at`, `revision`
   * and the columns of its settings (`settingNames`).
   */
  items: string;
  /** A query for all items as `PublishedItem`, removed or not, with the table `item`. Its condition can be appended. */
  publishedItems: string;
  /** Additional columns of a row of the queue, as `, expression AS "name"`; may be empty. */
  rowColumns: string;
}

/** SQL for the total of a graded submission; null for an ungraded one. */
export const totalOf = ({ totalGrade, isGraded }: GradingTables): string =>
  totalGrade ? `s.${totalGrade}::float8` : `CASE WHEN ${isGraded} THEN 10 END`;
