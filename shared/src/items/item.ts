/** A rule under which work is accepted after the closing time, with a penalty. */
export interface LateRule {
  /** The last moment at which late work is accepted, in RFC 3339. */
  until: string;
  /** Whole minutes after the closing time within which work does not count as late. */
  graceMinutes: number;
  /** The deduction per period, as a percentage of the grade with at most two decimals. */
  penaltyPercent: number;
  /** The period: the penalty applies once, or for each hour or day begun. */
  per: 'once' | 'hour' | 'day';
  /** The minimum percentage of the grade that remains, with at most two decimals. */
  floorPercent: number;
}

/** When and how often students may ask for a review of their grading, once they see it. */
export interface ReviewRule {
  /** The time after which they may not, in RFC 3339. */
  until: string;
  /** The maximum number of reviews that a student may ask for per submission. */
  perSubmission: number;
}

/** The settings that quizzes and assignments share. */
export interface ItemSettings {
  /** Whether students see the item. */
  published: boolean;
  /** Whether grades are visible as soon as they are given, or once they are released. */
  release: 'immediate' | 'manual';
  /** When the grades will be released automatically. */
  releaseAt: Date | null;
  /** When the grades were released; null while they are held back, and for an immediate release. */
  releasedAt: Date | null;
  opensAt: Date | null;
  closesAt: Date | null;
  late: LateRule | null;
  submissionOrder: 'arrival' | 'shuffled';
  /** Whether graders see codes instead of students. */
  anonymous: boolean;
  gradersEditRubric: boolean;
  /** Null if students may not ask for reviews. */
  reviews: ReviewRule | null;
}

/** The settings of an item that an administrator creates (section 2 of the API for teachers). */
export const administratorsSettings = {
  published: true,
  release: 'immediate',
  releaseAt: null,
  releasedAt: null,
  late: null,
  submissionOrder: 'arrival',
  anonymous: false,
  gradersEditRubric: true,
  reviews: null,
} as const satisfies Partial<ItemSettings>;

type Released = Pick<ItemSettings, 'release' | 'releasedAt'>;

/** Whether students see the grades of an item. No other function decides it. */
export const areGradesVisible = ({ release, releasedAt }: Released): boolean =>
  release === 'immediate' || releasedAt !== null;

/** The time from which students see the grades of an item; null while they are held back. */
export const visibleFrom = ({
  release,
  releasedAt,
  createdAt,
}: Released & { createdAt: Date }): Date | null => (release === 'immediate' ? createdAt : releasedAt);
