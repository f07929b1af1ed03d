/** How much a student's attempts at the quizzes of a course are extended. */
export interface Accommodation {
  courseId: number;
  studentId: number;
  /** An attempt lasts this percentage of the quiz's duration, from 100 to 400. */
  timePercent: number;
  note: string | null;
  changedBy: number;
  changedAt: Date;
}

/** The properties that a teacher sets. */
export type AccommodationProperties = Pick<Accommodation, 'timePercent' | 'note'>;
