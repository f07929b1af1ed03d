import { useWords } from '../../shared/language/text.ts';
import { formatSchoolTime } from '../records/schoolTime.ts';
import type { Work } from './workGroups.ts';

/** When it opens and closes, and what one should know before it begins. */
export function Facts({ work }: { work: Work }) {
  const { t, language } = useWords();
  const { opensAt, closesAt, handedIn, isOpen, remainingSeconds, quiz } = work;
  const time = (date: Date) => formatSchoolTime(date, language);
  const isOver = !isOpen && (handedIn !== null || remainingSeconds === 0);
  const facts: string[] = [];
  if (opensAt && !isOpen && !isOver) facts.push(t('Opens {time}', { time: time(opensAt) }));
  if (closesAt && isOver && !handedIn) facts.push(t('Closed {time}', { time: time(closesAt) }));
  if (closesAt && !isOver) facts.push(t('Closes {time}', { time: time(closesAt) }));
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
