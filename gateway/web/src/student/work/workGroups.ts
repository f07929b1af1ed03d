import { readSchoolTime } from '../records/schoolTime.ts';
import type { Course, Homework, Kind, Quiz, QuizSubmission } from '../records/studentTypes.ts';

interface HandedIn {
  id: number;
  submittedAt: Date;
  grade: number | null;
  totalGrade: number | null;
}

/** A quiz or a homework, as its student sees it. */
export interface Work {
  kind: Kind;
  id: number;
  title: string;
  courseTitle: string | null;
  /** By the clock of the server, when the list was asked for; null without a limit. */
  remainingSeconds: number | null;
  opensAt: Date | null;
  closesAt: Date | null;
  handedIn: HandedIn | null;
  /** It can be handed in, again or for the first time. */
  isOpen: boolean;
  quiz: Quiz | null;
  homework: Homework | null;
}

export interface WorkGroups {
  open: Work[];
  comingUp: Work[];
  handedIn: Work[];
  missed: Work[];
}

interface Records {
  quizzes: Quiz[];
  submissions: QuizSubmission[];
  homeworks: Homework[];
  courses: Course[];
  /** The device's estimate of the school's time, where no answer gives it. */
  deviceNow: Date;
  /** Whether it is being uploaded. It stays where it is until that has ended, also after the deadline. */
  isUploading(work: Pick<Work, 'kind' | 'id'>): boolean;
}

/** Items that are open, coming up, handed in and missed. */
export function workGroups(records: Records): WorkGroups {
  const now = schoolNow(records.quizzes, records.homeworks) ?? records.deviceNow;
  const titleOf = new Map(records.courses.map(({ id, title }) => [id, title]));
  const submissionOf = new Map(records.submissions.map((each) => [each.quiz_id, each]));
  const all = [
    ...records.quizzes.map((quiz) => ofQuiz(quiz, submissionOf.get(quiz.id), titleOf, now)),
    ...withoutQuiz(records.quizzes, records.submissions),
    ...records.homeworks.map(ofHomework),
  ];
  const groups: WorkGroups = { open: [], comingUp: [], handedIn: [], missed: [] };
  for (const work of all) groups[groupOf(work, now, records.isUploading(work))].push(work);
  groups.open.sort((one, other) => secondsOf(one) - secondsOf(other));
  groups.comingUp.sort((one, other) => timeOf(one.opensAt) - timeOf(other.opensAt));
  groups.handedIn.sort(
    (one, other) => timeOf(other.handedIn?.submittedAt) - timeOf(one.handedIn?.submittedAt),
  );
  groups.missed.sort((one, other) => timeOf(other.closesAt) - timeOf(one.closesAt));
  return groups;
}

function groupOf(work: Work, now: Date, isUploading: boolean): keyof WorkGroups {
  if (work.handedIn) return 'handedIn';
  if (isUploading || work.isOpen) return 'open';
  return work.opensAt !== null && work.opensAt > now ? 'comingUp' : 'missed';
}

function ofQuiz(
  quiz: Quiz,
  submission: QuizSubmission | undefined,
  titleOf: Map<number, string>,
  now: Date,
): Work {
  const opensAt = quiz.opens_at === null ? null : readSchoolTime(quiz.opens_at);
  // The link to the questions appears when the quiz opens; without a file of questions only the time decides.
  const hasOpened = quiz.questions_pdf_url !== null || opensAt === null || opensAt <= now;
  const isGraded = submission !== undefined && submission.is_marked === 1;
  return {
    kind: 'quizzes',
    id: quiz.id,
    title: quiz.title,
    courseTitle: titleOf.get(quiz.course_id) ?? null,
    remainingSeconds: quiz.remaining_seconds,
    opensAt,
    closesAt: quiz.closes_at === null ? null : readSchoolTime(quiz.closes_at),
    handedIn: submission ? ofSubmission(submission) : null,
    isOpen: hasOpened && !isGraded && quiz.remaining_seconds !== 0,
    quiz,
    homework: null,
  };
}

/** Submissions for quizzes that are no longer listed: those of a course that the student has left. */
const withoutQuiz = (quizzes: Quiz[], submissions: QuizSubmission[]): Work[] => {
  const known = new Set(quizzes.map(({ id }) => id));
  return submissions
    .filter(({ quiz_id }) => !known.has(quiz_id))
    .map((submission) => ({
      kind: 'quizzes',
      id: submission.quiz_id,
      title: submission.quiz_title,
      courseTitle: null,
      remainingSeconds: 0,
      opensAt: null,
      closesAt: null,
      handedIn: ofSubmission(submission),
      isOpen: false,
      quiz: null,
      homework: null,
    }));
};

const ofSubmission = ({ id, submitted_at, grade, total_grade }: QuizSubmission): HandedIn => ({
  id,
  submittedAt: readSchoolTime(submitted_at),
  grade,
  totalGrade: total_grade,
});

function ofHomework(homework: Homework): Work {
  const { id, title, course_title, assignment_deadline, submission, remaining_seconds } = homework;
  return {
    kind: 'homeworks',
    id,
    title,
    courseTitle: course_title,
    remainingSeconds: remaining_seconds,
    opensAt: null,
    closesAt: assignment_deadline === null ? null : readSchoolTime(assignment_deadline),
    handedIn: submission && {
      id: submission.id,
      submittedAt: readSchoolTime(submission.submitted_at),
      grade: submission.rating,
      totalGrade: submission.rating === null ? null : 10,
    },
    isOpen: submission?.is_reviewed !== true && remaining_seconds !== 0,
    quiz: null,
    homework,
  };
}

/** The time of the school, from an answer that has both a closing time and the seconds until then. */
export function schoolNow(quizzes: Quiz[], homeworks: Homework[]): Date | undefined {
  const before = (end: string, seconds: number) => new Date(readSchoolTime(end).getTime() - seconds * 1000);
  // The end of an attempt that has begun may be earlier than the end of the quiz.
  for (const { closes_at, remaining_seconds, started_at, duration_minutes } of quizzes)
    if (closes_at && remaining_seconds && (started_at === null || duration_minutes === null))
      return before(closes_at, remaining_seconds);
  for (const { assignment_deadline, remaining_seconds } of homeworks)
    if (assignment_deadline && remaining_seconds) return before(assignment_deadline, remaining_seconds);
  return undefined;
}

const secondsOf = ({ remainingSeconds }: Work) => remainingSeconds ?? Number.MAX_SAFE_INTEGER;
const timeOf = (time: Date | null | undefined) => time?.getTime() ?? Number.MAX_SAFE_INTEGER;
