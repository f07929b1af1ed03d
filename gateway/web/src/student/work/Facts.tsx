import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Work } from './workGroups.ts';

/** Shows when work opens and closes, and what to know before starting. */
export function Facts({ work }: { work: Work }) {
  const { t, formatTime } = useTranslation();
  const { opensAt, closesAt, lateUntil, handedIn, isOpen, state, quiz } = work;
  const isOver = !isOpen && (handedIn !== null || state === 'closed');
  const facts: string[] = [];
  if (opensAt && state === 'upcoming') facts.push(t('Opens {time}', { time: formatTime(opensAt) }));
  if (closesAt && isOver && !handedIn) facts.push(t('Closed {time}', { time: formatTime(closesAt) }));
  if (closesAt && !isOver) facts.push(t('Closes {time}', { time: formatTime(closesAt) }));
  if (lateUntil && !isOver)
    facts.push(t('Late work is accepted until {time}', { time: formatTime(lateUntil) }));
  if (quiz && !isOver && !handedIn) {
    const { duration_minutes: minutes, questions_count_of_quiz_pdf: count } = quiz;
    if (minutes !== null) facts.push(t('{minutes} minutes from the start', { minutes: String(minutes) }));
    if (count !== null) facts.push(t('{count, plural, one {# question} other {# questions}}', { count }));
  }
  if (facts.length === 0) return null;
  return (
    <ul className="facts small quiet">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}
