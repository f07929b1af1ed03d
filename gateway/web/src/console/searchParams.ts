/*
 * The filters of the console's lists as URL parameters, so that a link shows every user the same list. Invalid values
 * are dropped. An unset filter has no parameter.
 */

type Given = Record<string, unknown>;

export interface ListParams {
  page?: number;
  search?: string;
}

export type Role = 'user' | 'instructor' | 'parent' | 'admin';

export interface UsersParams extends ListParams {
  role?: Role;
}

export type CourseTab = 'classes' | 'students' | 'instructors';

export interface CourseParams extends ListParams {
  /** The quizzes if absent. */
  tab?: CourseTab;
}

export interface DevicesParams extends ListParams {
  user?: number;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface DeliveriesParams extends ListParams {
  status?: DeliveryStatus;
}

export interface AuditParams {
  actor?: number;
  action?: string;
  type?: string;
  object?: string;
  /** Local time of the browser, such as `2026-11-21T10:15`. */
  from?: string;
  to?: string;
  cursor?: string;
}

export interface GradebookParams {
  course?: number;
  page?: number;
}

const courseTabs = ['classes', 'students', 'instructors'] as const;
export const roles = ['user', 'instructor', 'parent', 'admin'] as const;
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

const number = (value: unknown): number | undefined =>
  /^[1-9]\d{0,14}$/.test(String(value ?? '')) ? Number(value) : undefined;

function text(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const trimmed = String(value).trim().slice(0, 255);
  return trimmed === '' ? undefined : trimmed;
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((each) => each === value);

function time(value: unknown): string | undefined {
  const given = text(value);
  return given !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(given) && !Number.isNaN(Date.parse(given))
    ? given
    : undefined;
}

/** Drops parameters without a value. */
function only<T extends object>(address: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined)) as T;
}

/** The first page has no parameter. */
const pageOf = ({ page }: Given): number | undefined => {
  const given = number(page);
  return given === 1 ? undefined : given;
};

export const listParams = (given: Given): ListParams =>
  only<ListParams>({ page: pageOf(given), search: text(given.search) });

export const usersParams = (given: Given): UsersParams =>
  only<UsersParams>({ ...listParams(given), role: oneOf(roles, given.role) });

export const courseParams = (given: Given): CourseParams =>
  only<CourseParams>({ ...listParams(given), tab: oneOf(courseTabs, given.tab) });

export const devicesParams = (given: Given): DevicesParams =>
  only<DevicesParams>({ page: pageOf(given), user: number(given.user) });

export const deliveriesParams = (given: Given): DeliveriesParams =>
  only<DeliveriesParams>({ page: pageOf(given), status: oneOf(deliveryStatuses, given.status) });

export const gradebookParams = (given: Given): GradebookParams =>
  only<GradebookParams>({ page: pageOf(given), course: number(given.course) });

export const auditParams = (given: Given): AuditParams =>
  only<AuditParams>({
    actor: number(given.actor),
    action: text(given.action),
    type: text(given.type),
    object: text(given.object),
    from: time(given.from),
    to: time(given.to),
    cursor: /^\d{1,15}\.\d{1,15}$/.test(String(given.cursor ?? '')) ? String(given.cursor) : undefined,
  });
