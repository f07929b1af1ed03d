/** A PDF quiz of a course. */
export interface Quiz {
  id: number;
  courseId: number;
  title: string;
  questionsCount: number | null;
  totalGrade: number | null;
  /** The quiz's own time limits (D26); null where it sets none. */
  opensAt: Date | null;
  closesAt: Date | null;
  durationMinutes: number | null;
  questionsFileId: number | null;
  createdAt: Date;
}

/** The properties that an administrator sets. */
export type QuizProperties = Omit<Quiz, 'id' | 'createdAt' | 'questionsFileId'>;
