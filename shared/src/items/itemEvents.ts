import type { EventData } from '../events/catalog.ts';
import { type CloudEvent, createEvent } from '../events/cloudEvent.ts';
import { type ItemSettings, visibleFrom } from './item.ts';
import type { Allowance } from './personalTimes.ts';

export type ItemService = 'quiz' | 'homework';

/** A quiz, or the assignment of a class, identified by the id of the class. */
export interface PublishedItem extends ItemSettings {
  id: number;
  courseId: number;
  title: string;
  totalGrade: number | null;
  /** When the quiz or assignment was created. */
  createdAt: Date;
  isDeleted: boolean;
  /** Incremented by each published change. */
  revision: number;
}

const subjectOf = (service: ItemService, id: number) =>
  `${service === 'quiz' ? 'quizzes' : 'homeworks'}/${id}`;
const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null;

/** The event with the current state of an item, for the gradebook. */
export const itemChanged = (service: ItemService, item: PublishedItem): CloudEvent =>
  createEvent(service, `${service}.changed.v1`, subjectOf(service, item.id), {
    id: item.id,
    course_id: item.courseId,
    title: item.title,
    total_grade: item.totalGrade,
    created_at: item.createdAt.toISOString(),
    published: item.published,
    opens_at: timeOf(item.opensAt),
    closes_at: timeOf(item.closesAt),
    late: item.late,
    released_at: timeOf(visibleFrom(item)),
    anonymous: item.anonymous,
    is_deleted: item.isDeleted,
    revision: item.revision,
  });

/** The event of an item that became visible to students. */
export const itemPublished = (service: ItemService, item: PublishedItem): CloudEvent =>
  createEvent(service, `${service}.published.v1`, subjectOf(service, item.id), {
    item_id: item.id,
    course_id: item.courseId,
    title: item.title,
    opens_at: timeOf(item.opensAt),
    closes_at: timeOf(item.closesAt),
  });

/** The event of grades that became visible to students, or were hidden again. */
export function gradesReleasedOrWithheld(service: ItemService, item: PublishedItem): CloudEvent {
  const releasedAt = timeOf(visibleFrom(item));
  const type = releasedAt === null ? 'withheld' : 'released';
  const data = { item_id: item.id, course_id: item.courseId, released_at: releasedAt };
  return createEvent(service, `${service}.grades.${type}.v1`, subjectOf(service, item.id), data);
}

interface StoredAllowance extends Allowance {
  itemId: number;
  courseId: number;
  studentId: number;
  isRemoved: boolean;
  revision: number;
}

/** The event with the allowance of one student. */
export function allowanceChanged(service: ItemService, allowance: StoredAllowance): CloudEvent {
  const data: EventData['quiz.allowance.changed.v1'] = {
    item_id: allowance.itemId,
    course_id: allowance.courseId,
    student_id: allowance.studentId,
    closes_at: timeOf(allowance.closesAt),
    extra_minutes: allowance.extraMinutes,
    excused: allowance.excused,
    is_removed: allowance.isRemoved,
    revision: allowance.revision,
  };
  const subject = `${subjectOf(service, allowance.itemId)}/students/${allowance.studentId}`;
  return createEvent(service, `${service}.allowance.changed.v1`, subject, data);
}
