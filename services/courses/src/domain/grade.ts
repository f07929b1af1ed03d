/** The current grade of a submission. */
export interface Grade {
  kind: 'homework' | 'quiz';
  submissionId: number;
  courseId: number;
  studentId: number;
  /** The class id of the homework, or the quiz id. */
  itemId: number;
  /** The title at the time of the grading. Lists show the current one. */
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

/** A student in the gradebook. Name and email address are null if the account was deleted. */
export interface GradebookStudent {
  studentId: number;
  studentName: string | null;
  studentEmail: string | null;
}

export type GradebookGrade = Omit<Grade, 'revision'>;
export type GradebookRow = GradebookStudent & { grades: GradebookGrade[] };
