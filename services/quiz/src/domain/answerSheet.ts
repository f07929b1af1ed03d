import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';

/** An uploaded answer sheet, with the student's claims about the attempt. */
export interface AnswerSheet {
  studentId: number;
  courseId: number;
  quizId: number;
  classId: number | null;
  startAt: Date;
  durationMinutes: number;
  receivedAt: Date;
  file: ReceivedFile;
}

/** A discrepancy between the claimed and the recorded start of an attempt. */
export type StartFlag = 'start_mismatch' | 'no_recorded_start';

/** When an attempt started: the student's claim and the server's evidence. */
export interface AttemptStart {
  startAt: Date;
  /** When the student first opened the question PDF; null if that was not recorded. */
  recordedStartAt: Date | null;
  flags: StartFlag[];
}

/** An answer sheet that was received within its submission window. */
export interface AssessedSheet extends AnswerSheet, AttemptStart {
  /** The last moment at which it is on time. */
  deadline: Date;
}

/** An answer sheet's stored properties, without its file. */
export interface StoredSheet extends Omit<AnswerSheet, 'file'>, AttemptStart {
  /** The staff member who handed it in for the student; null if the student did. */
  submittedBy: number | null;
}
