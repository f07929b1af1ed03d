import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { momentOf } from '../../shared/time/moment.ts';
import type { Item, ItemId } from '../queue/gradingTypes.ts';
import { describedItemQuery, useIsTeacher } from '../queue/itemQueries.ts';
import { type ItemState, itemStateAt, stateText } from '../queue/itemState.ts';
import { ItemStatusButtons } from './ItemStatusButtons.tsx';

/** The state of an item, its times, whether students see the grades, and the actions of a teacher. */
export function ItemStatus({ item, courseId }: { item: ItemId; courseId: number | undefined }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...describedItemQuery(item), staleTime: 0 });
  const isTeacher = useIsTeacher(courseId);
  // The line keeps its height while it loads. A failure is shown by the page that needs the item.
  if (!data) return <div className="item-status" />;
  const state = itemStateAt(data.item, data.answeredAt);
  return (
    <section className="item-status" aria-label={t('State')}>
      <ul className="item-facts">
        <li>
          <span className={`badge state-${state}`}>{t(stateText[state])}</span>
        </li>
        <Facts item={data.item} state={state} now={data.answeredAt} />
      </ul>
      {isTeacher && <ItemStatusButtons id={item} item={data.item} />}
    </section>
  );
}

function Facts({ item, state, now }: { item: Item; state: ItemState; now: Date }) {
  const { t, formatTime } = useTranslation();
  const { opens_at, closes_at, late, release_at, released_at, anonymous } = item;
  const facts: string[] = [];
  if (opens_at !== null) {
    const time = formatTime(opens_at);
    facts.push(momentOf(opens_at) > now ? t('Opens {time}', { time }) : t('Opened {time}', { time }));
  }
  if (closes_at === null) facts.push(t('Never closes'));
  else {
    const time = formatTime(closes_at);
    if (state === 'closed') facts.push(t('Closed {time}', { time }));
    // Late work is still accepted.
    else facts.push(momentOf(closes_at) > now ? t('Closes {time}', { time }) : t('Was due {time}', { time }));
  }
  if (late) facts.push(t('Late work until {time}', { time: formatTime(late.until) }));
  // A draft has no grades yet.
  if (released_at !== null) facts.push(...(state === 'draft' ? [] : [t('Grades released')]));
  else if (release_at !== null)
    facts.push(t('Grades will be released {time}', { time: formatTime(release_at) }));
  else facts.push(t('Grades held back'));
  if (anonymous && released_at === null) facts.push(t('Anonymous'));
  return facts.map((fact) => <li key={fact}>{fact}</li>);
}
