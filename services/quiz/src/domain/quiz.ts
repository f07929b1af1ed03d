/** A PDF quiz of a course. */
export interface Quiz {
  id: number;
  courseId: number;
  title: string;
  questionsCount: number | null;
  totalGrade: number | null;
  /** The quiz's own time limits (D26); null for no limit. */
  opensAt: Date | null;
  closesAt: Date | null;
  durationMinutes: number | null;
  questionsFileId: number | null;
  createdAt: Date;
  /** Incremented by each published change. */
  revision: number;
}

/** A quiz, with the stored state of a student who uploads an answer sheet. */
export interface QuizOfStudent extends Quiz {
  /** When the student first opened the question PDF; null if that was not recorded. */
  recordedStartAt: Date | null;
  /** Whether the projection of users has the student. */
  isStudentKnown: boolean;
}

/** The properties that an administrator sets. */
export type QuizProperties = Omit<Quiz, 'id' | 'createdAt' | 'questionsFileId' | 'revision'>;
