/** A PDF quiz of a course. */
export interface Quiz {
  id: number;
  courseId: number;
  title: string;
  questionsCount: number | null;
  totalGrade: number | null;
  /** The server's own window (D26); null where it sets none. */
  opensAt: Date | null;
  closesAt: Date | null;
  durationMinutes: number | null;
  questionsFileId: number | null;
  createdAt: Date;
}

/** What an administrator may set of a quiz. */
export type QuizProperties = Omit<Quiz, 'id' | 'createdAt' | 'questionsFileId'>;
