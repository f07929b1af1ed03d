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
  /** The time from which the student sees the grade, as of a revision of its item; null while it is hidden. */
  visibleFrom: string | null;
  /** Null in events of earlier versions, whose grades are visible. */
  itemRevision: number | null;
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

/** The gradebook of a course, restricted to what the reader may see. */
export interface Gradebook {
  courseId: number;
  /** Whether the grades of anonymous items are omitted until they are released. */
  hidesAnonymous: boolean;
}

export type GradebookGrade = Omit<Grade, 'revision' | 'visibleFrom' | 'itemRevision'> & {
  /** Whether the grade is held back from the student. */
  isHidden: boolean;
};
export type GradebookRow = GradebookStudent & { grades: GradebookGrade[] };
