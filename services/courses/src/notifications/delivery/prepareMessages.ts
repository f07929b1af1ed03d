import type { UserState } from '@gradeway/shared/events/catalog';
import type { AuthClient } from '../../clients/authClient.ts';
import type { Fact, FactRepository } from '../data/factRepository.ts';
import type { PreferenceRepository } from '../data/preferenceRepository.ts';
import type { ClaimedMessage } from '../data/queueRepository.ts';
import { composeMessage, type School } from '../messages/composeMessage.ts';

export interface PreparationDependencies {
  facts: FactRepository;
  preferences: PreferenceRepository;
  auth: Pick<AuthClient, 'findUsers'>;
  school: School;
}

type MailMessage = ReturnType<typeof composeMessage>;

/** A claimed message as it will be sent, unless it no longer applies. */
export interface Prepared {
  claimed: ClaimedMessage;
  outcome: 'send' | 'drop' | 'postpone';
  message?: MailMessage;
  /** The parts of a digest that no longer apply, and those that do not apply yet. */
  overIds: string[];
  earlyIds: string[];
}

/**
 * Checks messages again at the moment of sending, and composes them. Accounts are read from auth, so that messages go
 * to current addresses, and not to deleted or blocked accounts.
 * @throws AppError `unavailable` while auth is unreachable
 */
export async function prepareMessages(
  { facts, preferences, auth, school }: PreparationDependencies,
  claimed: ClaimedMessage[],
): Promise<Prepared[]> {
  const users = await auth.findUsers([...new Set(claimed.map(({ userId }) => userId))]);
  const reachable = [...users.values()].filter(canReceive).map(({ user_id: id }) => id);
  const preferencesOf = await preferences.ensure(reachable);
  const single = claimed.filter(({ kind }) => kind !== 'digest').map(({ id }) => id);
  const factOf = Map.groupBy(await facts.ofMessages(single), ({ id }) => id);
  return Promise.all(claimed.map(prepare));

  async function prepare(each: ClaimedMessage): Promise<Prepared> {
    const user = users.get(each.userId);
    const stored = preferencesOf.get(each.userId);
    const isDigest = each.kind === 'digest';
    const found = isDigest ? await facts.ofDigest(each.id) : { facts: factOf.get(each.id) ?? [], total: 1 };
    const inState = (state: Fact['state']) => found.facts.filter((fact) => fact.state === state);
    const [current, early, over] = [inState('current'), inState('early'), inState('over')];
    const parts = { claimed: each, overIds: idsOf(over), earlyIds: isDigest ? idsOf(early) : [] };
    if (!user?.email || !stored || !canReceive(user)) return { ...parts, outcome: 'drop' };
    if (current.length === 0)
      return { ...parts, outcome: !isDigest && early.length > 0 ? 'postpone' : 'drop' };
    const recipient = {
      ...{ userId: user.user_id, email: user.email, name: `${user.first_name} ${user.last_name}` },
      ...{ language: stored.language, unsubscribeKey: stored.unsubscribeKey },
    };
    const more = found.total - found.facts.length;
    const content = { kind: each.kind, key: each.key, facts: withoutRepetitions(current), more };
    return { ...parts, outcome: 'send', message: composeMessage(school, recipient, content) };
  }
}

const canReceive = ({ email, is_blocked: isBlocked }: UserState): boolean => Boolean(email) && !isBlocked;

const idsOf = (facts: Fact[]): string[] => facts.map(({ id }) => id);

/** A digest mentions each kind of event for a submission or an item only once, even if it occurred several times. */
const withoutRepetitions = (facts: Fact[]): Fact[] => [
  ...new Map(
    facts.map((fact) => [`${fact.kind} ${fact.itemKind} ${fact.itemId} ${fact.submissionId}`, fact]),
  ).values(),
];
