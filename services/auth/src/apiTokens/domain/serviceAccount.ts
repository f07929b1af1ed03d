import type { Scope } from '@gradeway/shared/auth/scopes';

/** An account for another system, which uses tokens instead of logging in. */
export interface ServiceAccount {
  id: number;
  name: string;
  scopes: Scope[];
  /** The only courses that its tokens give access to; null for no limit. */
  courseIds: number[] | null;
  isDisabled: boolean;
  createdBy: number;
  /** Null if the administrator's account is deleted. */
  creatorName: string | null;
  revision: number;
  createdAt: Date;
  isDeleted: boolean;
}

/** The properties that an administrator can set. */
export type ServiceAccountProperties = Pick<ServiceAccount, 'name' | 'scopes' | 'courseIds' | 'isDisabled'>;

/** Whether a change requires new tokens because it affects what existing tokens contain or allow. */
export const endsTokens = (before: ServiceAccountProperties, after: ServiceAccountProperties): boolean =>
  !isSameSet(before.scopes, after.scopes) ||
  !isSameSet(before.courseIds, after.courseIds) ||
  (after.isDisabled && !before.isDisabled);

const isSameSet = (one: readonly unknown[] | null, other: readonly unknown[] | null): boolean =>
  one === null || other === null
    ? one === other
    : new Set(one).size === new Set(other).size && one.every((element) => other.includes(element));
