import { lazy, Suspense } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Work } from './workGroups.ts';

// Little work is accepted late, and the page's JavaScript budget is small.
const LateFacts = lazy(async () => ({ default: (await import('./LateFacts.tsx')).LateFacts }));

/** Shows when work opens and closes, and what to know before starting. */
export function Facts({ work }: { work: Work }) {
  const { t, formatTime } = useTranslation();
  const { opensAt, closesAt, lateRule, isLate, handedIn, isOpen, state, quiz } = work;
  const isOver = !isOpen && (handedIn !== null || state === 'closed');
  const facts: string[] = [];
  if (opensAt && state === 'upcoming') facts.push(t('Opens {time}', { time: formatTime(opensAt) }));
  if (closesAt && (isOver ? !handedIn : isLate))
    facts.push(t('Closed {time}', { time: formatTime(closesAt) }));
  if (closesAt && !isOver && !isLate) facts.push(t('Closes {time}', { time: formatTime(closesAt) }));
  if (quiz && !isOver && !handedIn) {
    const { duration_minutes: minutes, questions_count_of_quiz_pdf: count } = quiz;
    if (minutes !== null) facts.push(t('{minutes} minutes from the start', { minutes: String(minutes) }));
    if (count !== null) facts.push(t('{count, plural, one {# question} other {# questions}}', { count }));
  }
  const acceptsLate = lateRule !== null && !isOver;
  if (facts.length === 0 && !acceptsLate) return null;
  return (
    <ul className="facts small quiet">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
      {acceptsLate && (
        <Suspense fallback={null}>
          <LateFacts rule={lateRule} />
        </Suspense>
      )}
    </ul>
  );
}
