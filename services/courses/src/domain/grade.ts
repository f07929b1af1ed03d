/** The current grade of a submission. */
export interface Grade {
  kind: 'homework' | 'quiz';
  submissionId: number;
  courseId: number;
  studentId: number;
  /** The class id of a homework, or the quiz id. */
  itemId: number;
  title: string;
  grade: number;
  totalGrade: number;
  gradedAt: Date;
  revision: number;
}

/** A grade whose grading was undone. */
export type WithdrawnGrade = Pick<
  Grade,
  'kind' | 'submissionId' | 'courseId' | 'studentId' | 'itemId' | 'revision'
>;
