import { findErased, personErased } from '@gradeway/shared/personalData/erasedPeople';
import type { NotificationDependencies } from '../dependencies.ts';
import { type PreferenceChange, type Preferences, withoutKind } from './preferences.ts';
import { isSignedWith, readUnsubscribeToken } from './unsubscribeToken.ts';

/** Changes what a person chose. Omitted kinds stay unchanged. */
export const changePreferences = (
  { sequelize, preferences }: NotificationDependencies,
  userId: number,
  change: PreferenceChange,
): Promise<Preferences> =>
  preferences.change(
    userId,
    () => change,
    async (transaction) => {
      if (await findErased(sequelize, userId, transaction)) throw personErased();
    },
  );

/** The person and the kind of a valid token, with the person's language; undefined for any other token. */
export async function findUnsubscription(
  { preferences }: Pick<NotificationDependencies, 'preferences'>,
  token: string,
) {
  const read = readUnsubscribeToken(token);
  const [stored] = read ? await preferences.find([read.userId]) : [];
  if (!read || !stored || !isSignedWith(stored.unsubscribeKey, read.kind, read.signature)) return undefined;
  return { userId: read.userId, kind: read.kind, language: stored.language };
}

/** Unsubscribes the person from the messages that a valid token names. Repeating it changes nothing. */
export async function unsubscribe(
  { preferences }: Pick<NotificationDependencies, 'preferences'>,
  { userId, kind }: NonNullable<Awaited<ReturnType<typeof findUnsubscription>>>,
): Promise<void> {
  await preferences.change(userId, (before) => ({ kinds: withoutKind(before.kinds, kind) }));
}
