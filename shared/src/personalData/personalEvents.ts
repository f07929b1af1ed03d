import type { EventData, EventType } from '../events/catalog.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';

/** The person that an event is about, and the values that replace the person's data. */
interface PersonalRule<Data> {
  person: keyof Data & string;
  blank: Partial<Data>;
}

type UserData = EventData['user.changed.v1'];
// Does not compile until every new field of account events is considered here.
const noPerson: Required<Omit<UserData, 'user_id' | 'role' | 'is_blocked' | 'revision'>> = {
  first_name: '',
  last_name: '',
  email: null,
  mobile: null,
};
const user: PersonalRule<UserData> = { person: 'user_id', blank: noPerson };

/**
 * The personal data of each event type; null for none. Ids are not personal data, because they identify no one once
 * auth has erased the account.
 */
const rules: { [Type in EventType]: PersonalRule<EventData[Type]> | null } = {
  'homework.submission.submitted.v1': null,
  'homework.submission.graded.v1': { person: 'student_id', blank: { comment: null } },
  'homework.submission.ungraded.v1': null,
  'homework.submission.lateness.changed.v1': null,
  'homework.published.v1': null,
  'homework.grades.released.v1': null,
  'homework.grades.withheld.v1': null,
  'homework.allowance.changed.v1': null,
  'homework.review.opened.v1': null,
  'homework.review.closed.v1': null,
  'quiz.submission.submitted.v1': null,
  'quiz.submission.graded.v1': { person: 'student_id', blank: { comment: null } },
  'quiz.submission.ungraded.v1': null,
  'quiz.submission.lateness.changed.v1': null,
  'quiz.published.v1': null,
  'quiz.grades.released.v1': null,
  'quiz.grades.withheld.v1': null,
  'quiz.allowance.changed.v1': null,
  'quiz.review.opened.v1': null,
  'quiz.review.closed.v1': null,
  'user.changed.v1': user,
  'user.deleted.v1': user,
  'session.revoked.v1': null,
  'course.changed.v1': null,
  'course.deleted.v1': null,
  'class.changed.v1': null,
  'class.deleted.v1': null,
  'homework.changed.v1': null,
  'quiz.changed.v1': null,
  'enrollment.changed.v1': null,
  'enrollment.deleted.v1': null,
  'course.instructor.assigned.v1': null,
  'course.instructor.removed.v1': null,
  'audit.recorded.v1': { person: 'actor_id', blank: { address: null } },
};

interface PersonalType {
  type: string;
  person: string;
  blank: object;
}

/** The event types with personal data. */
export const personalTypes: PersonalType[] = Object.entries(rules).flatMap(([type, rule]) =>
  rule ? [{ type, ...rule }] : [],
);

const ruleOf = (type: string): PersonalType | undefined => personalTypes.find((each) => each.type === type);

/** The id of the person whose data an event contains; undefined when it contains none. */
export function personOf({ type, data }: Pick<CloudEvent, 'type' | 'data'>): number | undefined {
  const rule = ruleOf(type);
  const id = rule && (data as unknown as Record<string, unknown>)[rule.person];
  return typeof id === 'number' ? id : undefined;
}

/** The event without the personal data; the same object if it has none. */
export function withoutPersonalData<E extends Pick<CloudEvent, 'type' | 'data'>>(event: E): E {
  const data = event.data as unknown as Record<string, unknown>;
  const blank = Object.entries(ruleOf(event.type)?.blank ?? {});
  if (blank.every(([field, value]) => data[field] === value)) return event;
  return { ...event, data: { ...event.data, ...Object.fromEntries(blank) } };
}
