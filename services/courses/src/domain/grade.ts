/** The present grade of a submission, as the gradebook keeps it. */
export interface Grade {
  kind: 'homework' | 'quiz';
  submissionId: number;
  courseId: number;
  studentId: number;
  /** The class of a homework, or the quiz. */
  itemId: number;
  title: string;
  grade: number;
  totalGrade: number;
  gradedAt: Date;
  revision: number;
}
