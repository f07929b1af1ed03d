import type { FileUrls } from '../files/fileRoutes.ts';
import { formatUtc } from '../http/timestamps.ts';
import { visibleFrom } from '../items/item.ts';
import { serializeLateness } from '../items/submittedWork.ts';
import { deletedUserName } from '../projections/deletedUserName.ts';
import { type Answer, answerTag } from '../questions/answer.ts';
import type { AnswerHistoryEntry } from '../questions/answerHistoryRepository.ts';
import type { QuestionStatistics } from '../questions/answerStatisticsRepository.ts';
import type { Annotation } from './annotation.ts';
import type { Claim } from './claimRepository.ts';
import type { Detail, DetailFile } from './detailRepository.ts';
import type { GradedKind } from './gradedKind.ts';
import type { HistoryEntry } from './historyRepository.ts';
import { fromPoints } from './points.ts';
import type { QueuedItem } from './queuedItem.ts';
import type { QueueRow } from './queueRow.ts';
import type { Regrading } from './regrade.ts';
import type { Rubric } from './rubric.ts';
import type { CountedRubric } from './rubricRepository.ts';
import type { Statistics } from './statisticsRepository.ts';

const timeOrNull = (time: Date | null): string | null => time && formatUtc(time);
const personOrNull = (id: number | null, name: string | null) =>
  id === null ? null : { id, name: name ?? deletedUserName };

interface Graded {
  gradedBy: number | null;
  graderName: string | null;
  graderIsService: boolean | null;
}

const graderOrNull = ({ gradedBy, graderName, graderIsService }: Graded) => {
  const grader = personOrNull(gradedBy, graderName);
  return grader && graderIsService ? { ...grader, kind: 'service' } : grader;
};

export const serializeItem = (item: QueuedItem, courseTitle: string | null) => ({
  id: item.id,
  title: item.title,
  course_id: item.courseId,
  course_title: courseTitle,
  total_grade: item.totalGrade,
  published: item.published,
  release: item.release,
  released_at: timeOrNull(visibleFrom(item)),
  opens_at: timeOrNull(item.opensAt),
  closes_at: timeOrNull(item.closesAt),
  submissions: item.submissions,
  graded: item.graded,
  claimed: item.claimed,
  has_rubric: item.hasRubric,
});

export const serializeRow = (row: QueueRow, kind: Pick<GradedKind, 'flagsOf'>) => ({
  id: row.id,
  student: {
    id: row.code === null ? row.studentId : null,
    name: row.studentName ?? deletedUserName,
    email: row.studentEmail ?? '',
  },
  submitted_at: formatUtc(row.submittedAt),
  status: row.grade === null ? 'ungraded' : 'graded',
  grade: row.grade,
  total_grade: row.totalGrade,
  graded_by: graderOrNull(row),
  graded_at: timeOrNull(row.gradedAt),
  claimed_by: personOrNull(row.claimedBy, row.claimerName),
  claimed_until: timeOrNull(row.claimedUntil),
  submitted_by: personOrNull(row.submittedBy, row.submitterName),
  flags: kind.flagsOf(row),
  ...serializeLateness(row, row.grade),
});

interface Urls {
  file: FileUrls;
  annotated(submissionId: number): string;
}

export const serializeDetail = (
  detail: Omit<Detail, 'files'> & { files: (Omit<DetailFile, 'sizes'> & { sizes: unknown[] })[] },
  kind: GradedKind,
  urls: Urls,
) => ({
  ...serializeRow(detail, kind),
  item_id: detail.itemId,
  late_waived: detail.lateWaived,
  revision: detail.revision,
  comment: detail.comment,
  files: detail.files.map(({ id, name, size, sha256, sizes }) => ({
    ...{ id, name, size, sha256 },
    pages: sizes.length,
    // An anonymous file keeps its name when it is opened.
    url: urls.file(id, detail.code === null ? undefined : name),
  })),
  selection: detail.selection,
  adjustment: fromPoints(detail.adjustment),
  rubric_revision: detail.rubricRevision,
  annotations: detail.annotations.map(serializeAnnotation),
  annotated_url: detail.files.length === 0 ? null : urls.annotated(detail.id),
  rubric: detail.rubric && serializeRubric(detail.rubric),
  answers: detail.answers.map(serializeAnswer),
  graded_questions: detail.answers.filter(({ points }) => points !== null).length,
});

export const serializeAnswer = (answer: Answer) => ({
  question_id: answer.questionId,
  label: answer.label,
  state: answer.points === null ? 'ungraded' : 'graded',
  points: answer.points === null ? null : fromPoints(answer.points),
  selection: answer.selection,
  adjustment: fromPoints(answer.adjustment),
  rubric_revision: answer.rubricRevision,
  comment: answer.comment,
  graded_by: graderOrNull(answer),
  graded_at: timeOrNull(answer.gradedAt),
  revision: answer.revision,
  claimed_by: personOrNull(answer.claimedBy, answer.claimerName),
  claimed_until: timeOrNull(answer.claimedUntil),
  group_id: answer.groupId,
  pages: answer.pages.map(({ fileId, page }) => ({ file_id: fileId, page })),
  tag: answerTag(answer),
});

const serializeAnnotation = ({ id, fileId, page, kind, rect, points, text, color, itemId }: Annotation) => ({
  ...{ id, file_id: fileId, page, kind, rect, points, text, color, item_id: itemId },
});

export const serializeRubric = ({ revision, mode, maxPoints, minPoints, items }: CountedRubric) => ({
  revision,
  mode,
  max_points: fromPoints(maxPoints),
  min_points: fromPoints(minPoints),
  items: items.map(({ id, points, text, explanation, group, key, uses }) => ({
    ...{ id, points: fromPoints(points), text, explanation, group, key, uses },
  })),
});

/** A rubric without ids and uses, as another item or question imports it. */
export const exportRubric = ({ mode, maxPoints, minPoints, items }: Rubric) => ({
  mode,
  max_points: fromPoints(maxPoints),
  min_points: fromPoints(minPoints),
  items: items.map(({ points, text, explanation, group, key }) => ({
    ...{ points: fromPoints(points), text, explanation, group, key },
  })),
});

export const serializeClaim = ({ userId, name, until }: Claim) => ({
  claimed_by: personOrNull(userId, name),
  claimed_until: formatUtc(until),
});

export const serializeHistoryEntry = (entry: HistoryEntry) => ({
  grade: entry.grade,
  total_grade: entry.totalGrade,
  comment: entry.comment,
  selection: entry.selection,
  adjustment: fromPoints(entry.adjustment),
  rubric_revision: entry.rubricRevision,
  reason: entry.reason,
  graded_by: graderOrNull(entry),
  graded_at: formatUtc(entry.gradedAt),
});

export const serializeAnswerHistoryEntry = (entry: AnswerHistoryEntry) => ({
  points: entry.points === null ? null : fromPoints(entry.points),
  max_points: fromPoints(entry.maxPoints),
  comment: entry.comment,
  selection: entry.selection,
  adjustment: fromPoints(entry.adjustment),
  rubric_revision: entry.rubricRevision,
  reason: entry.reason,
  graded_by: graderOrNull(entry),
  graded_at: formatUtc(entry.gradedAt),
});

export const serializeRegrading = ({ regraded, minChange, maxChange, changes }: Regrading) => ({
  regraded,
  min_change: minChange,
  max_change: maxChange,
  changes: changes.map(({ submissionId, studentName, from, to }) => ({
    ...{ submission_id: submissionId, student_name: studentName ?? deletedUserName, from, to },
  })),
});

export const serializeStatistics = (statistics: Statistics, questions: QuestionStatistics[]) => ({
  submissions: statistics.submissions,
  graded: statistics.graded,
  mean: statistics.mean,
  median: statistics.median,
  standard_deviation: statistics.standardDeviation,
  minimum: statistics.minimum,
  maximum: statistics.maximum,
  histogram: serializeHistogram(statistics.histogram),
  rubric: statistics.rubric.map(({ itemId, text, uses }) => ({ item_id: itemId, text, uses })),
  graders: statistics.graders.map(({ id, name, graded }) => ({ id, name: name ?? deletedUserName, graded })),
  questions: questions.map((question) => ({
    question_id: question.questionId,
    label: question.label,
    max_points: question.maxPoints,
    mean: question.mean,
    median: question.median,
    histogram: serializeHistogram(question.histogram),
    correlation: question.correlation,
  })),
});

const serializeHistogram = (counts: number[]) =>
  counts.map((count, part) => ({ from: part * 10, to: part * 10 + 10, count }));
