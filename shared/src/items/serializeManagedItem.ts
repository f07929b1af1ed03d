import type { FileUrls } from '../files/fileRoutes.ts';
import type { GradedKind } from '../grading/gradedKind.ts';
import type { DescribedItem } from '../grading/queuedItem.ts';
import { formatUtc } from '../http/timestamps.ts';
import { type ReviewRule, visibleFrom } from './item.ts';
import { serializeLateRule } from './serializeLateRule.ts';

interface Context {
  kind: GradedKind['name'];
  courseTitle: string | null;
  students: number | null;
  timeZone: string;
  urls: FileUrls;
}

const timeOrNull = (time: Date | null): string | null => time && formatUtc(time);

/** The Item of the API for teachers. It has only the settings of its own kind. */
export function serializeManagedItem(item: DescribedItem, { kind, urls, ...context }: Context) {
  const fileUrl = item.fileId === null ? null : urls(item.fileId);
  return {
    id: item.id,
    kind,
    course_id: item.courseId,
    course_title: context.courseTitle,
    title: item.title,
    created_at: formatUtc(item.createdAt),
    opens_at: timeOrNull(item.opensAt),
    closes_at: timeOrNull(item.closesAt),
    published: item.published,
    release: item.release,
    release_at: timeOrNull(item.releaseAt),
    late: item.late && serializeLateRule(item.late),
    order: item.submissionOrder,
    anonymous: item.anonymous,
    graders_edit_rubric: item.gradersEditRubric,
    reviews: item.reviews && serializeReviewRule(item.reviews),
    total_grade: item.ownTotal,
    ...(kind === 'quizzes'
      ? {
          duration_minutes: item.durationMinutes,
          questions_count: item.questionsCount,
          questions_pdf_url: fileUrl,
        }
      : { description: item.description, assignment_file_url: fileUrl }),
    questions_url: fileUrl,
    time_zone: context.timeZone,
    submissions: item.submissions,
    graded: item.graded,
    released_at: timeOrNull(visibleFrom(item)),
    students: context.students,
    claimed: item.claimed,
    has_rubric: item.hasRubric,
  };
}

const serializeReviewRule = ({ until, perSubmission }: ReviewRule) => ({
  until: formatUtc(new Date(until)),
  per_submission: perSubmission,
});
