import type { Kind } from '../../shared/api/workTypes.ts';
import { momentOf } from '../../shared/time/moment.ts';
import type {
  Course,
  Homework,
  Lateness,
  LateRule,
  Quiz,
  QuizSubmission,
  State,
} from '../records/studentTypes.ts';
import { lateWindow } from './lateWindow.ts';

interface HandedIn {
  id: number;
  submittedAt: Date;
  grade: number | null;
  /** The grade less the penalty for late work. */
  finalGrade: number | null;
  late: Lateness | null;
  totalGrade: number | null;
}

/** A quiz or homework from the student's point of view. */
export interface Work {
  kind: Kind;
  id: number;
  title: string;
  courseTitle: string | null;
  /** By the server's clock, which is authoritative. Times are only for display. */
  state: State;
  /** Seconds from the request of the list until it closes or its state changes; null if neither happens. */
  secondsUntil: number | null;
  opensAt: Date | null;
  closesAt: Date | null;
  /** The conditions under which late work is accepted; null if it is not. */
  lateRule: LateRule | null;
  /** Whether it has closed, but is still accepted. */
  isLate: boolean;
  handedIn: HandedIn | null;
  /** Whether it can be handed in, for the first time or again. */
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
  /** When the server responded with the lists, by its clock. */
  answeredAt?: Record<Kind, Date | undefined>;
  /** Whether it is being uploaded. It stays in its group until the upload has ended, even after the deadline. */
  isUploading(work: Pick<Work, 'kind' | 'id'>): boolean;
}

/** Groups items into open, upcoming, handed in and missed. */
export function workGroups(records: Records): WorkGroups {
  const titleOf = new Map(records.courses.map(({ id, title }) => [id, title]));
  const submissionOf = new Map(records.submissions.map((each) => [each.quiz_id, each]));
  const all = [
    ...records.quizzes.map((quiz) =>
      ofQuiz(quiz, submissionOf.get(quiz.id), titleOf, records.answeredAt?.quizzes),
    ),
    ...withoutQuiz(records.quizzes, records.submissions),
    ...records.homeworks.map((homework) => ofHomework(homework, records.answeredAt?.homeworks)),
  ];
  const groups: WorkGroups = { open: [], comingUp: [], handedIn: [], missed: [] };
  for (const work of all) groups[groupOf(work, records.isUploading(work))].push(work);
  groups.open.sort((one, other) => secondsOf(one) - secondsOf(other));
  groups.comingUp.sort((one, other) => secondsOf(one) - secondsOf(other));
  groups.handedIn.sort(
    (one, other) => timeOf(other.handedIn?.submittedAt) - timeOf(one.handedIn?.submittedAt),
  );
  groups.missed.sort((one, other) => timeOf(other.closesAt) - timeOf(one.closesAt));
  return groups;
}

function groupOf(work: Work, isUploading: boolean): keyof WorkGroups {
  if (work.handedIn) return 'handedIn';
  if (isUploading || work.isOpen) return 'open';
  return work.state === 'upcoming' ? 'comingUp' : 'missed';
}

function ofQuiz(
  quiz: Quiz,
  submission: QuizSubmission | undefined,
  titleOf: Map<number, string>,
  answeredAt: Date | undefined,
): Work {
  const state = stateOf(quiz);
  const closesAt = quiz.closes_at === null ? null : momentOf(quiz.closes_at);
  const lateRule = lateRuleOf(quiz);
  const isGraded = submission !== undefined && submission.is_marked === 1;
  return {
    kind: 'quizzes',
    id: quiz.id,
    title: quiz.title,
    courseTitle: titleOf.get(quiz.course_id) ?? null,
    ...state,
    ...lateWindow(state, lateRule, closesAt, answeredAt),
    lateRule,
    opensAt: quiz.opens_at === null ? null : momentOf(quiz.opens_at),
    closesAt,
    handedIn: submission ? ofSubmission(submission) : null,
    isOpen: state.state === 'open' && !isGraded,
    quiz,
    homework: null,
  };
}

/** Submissions whose quiz is no longer listed, because the student has left the course. */
const withoutQuiz = (quizzes: Quiz[], submissions: QuizSubmission[]): Work[] => {
  const known = new Set(quizzes.map(({ id }) => id));
  return submissions
    .filter(({ quiz_id }) => !known.has(quiz_id))
    .map((submission) => ({
      kind: 'quizzes',
      id: submission.quiz_id,
      title: submission.quiz_title,
      courseTitle: null,
      state: 'closed',
      secondsUntil: null,
      opensAt: null,
      closesAt: null,
      lateRule: null,
      isLate: false,
      handedIn: ofSubmission(submission),
      isOpen: false,
      quiz: null,
      homework: null,
    }));
};

// While the services are being updated, a response from the previous version has no final grade.
const ofSubmission = ({
  id,
  submitted_at,
  grade,
  final_grade = grade,
  late = null,
  total_grade,
}: QuizSubmission): HandedIn => ({
  id,
  submittedAt: momentOf(submitted_at),
  grade,
  finalGrade: final_grade,
  late,
  totalGrade: total_grade,
});

function ofHomework(homework: Homework, answeredAt: Date | undefined): Work {
  const { id, title, course_title, assignment_deadline, submission } = homework;
  const state = stateOf(homework);
  const closesAt = assignment_deadline === null ? null : momentOf(assignment_deadline);
  const lateRule = lateRuleOf(homework);
  return {
    kind: 'homeworks',
    id,
    title,
    courseTitle: course_title,
    ...state,
    ...lateWindow(state, lateRule, closesAt, answeredAt),
    lateRule,
    opensAt: null,
    closesAt,
    handedIn: submission && {
      id: submission.id,
      submittedAt: momentOf(submission.submitted_at),
      grade: submission.rating,
      finalGrade: submission.final_grade ?? submission.rating,
      late: submission.late ?? null,
      totalGrade: submission.rating === null ? null : 10,
    },
    isOpen: state.state === 'open' && submission?.is_reviewed !== true,
    quiz: null,
    homework,
  };
}

// While the services are being updated, a response from the previous version has no state. The service decides when
// work can be handed in.
const stateOf = (item: Quiz | Homework): Pick<Work, 'state' | 'secondsUntil'> =>
  item.state
    ? { state: item.state, secondsUntil: item.seconds_until }
    : { state: item.remaining_seconds === 0 ? 'closed' : 'open', secondsUntil: item.remaining_seconds };

// It has no rule for late work either.
const lateRuleOf = (item: Quiz | Homework): LateRule | null => item.late_rule ?? null;

const secondsOf = ({ secondsUntil }: Work) => secondsUntil ?? Number.MAX_SAFE_INTEGER;
const timeOf = (time: Date | null | undefined) => time?.getTime() ?? Number.MAX_SAFE_INTEGER;
