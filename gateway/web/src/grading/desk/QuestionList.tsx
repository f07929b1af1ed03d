import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Detail, ItemId } from '../queue/gradingTypes.ts';
import { answerIn, type QuestionOfDesk } from './questionSheet.ts';

interface Props {
  item: ItemId;
  detail: Detail;
  of: QuestionOfDesk;
  /** The points that result from the form. */
  points: number | undefined;
}

/** The questions of the item, with this student's points. */
export function QuestionList({ item: { kind, itemId }, detail, of, points }: Props) {
  const { t, formatNumber } = useTranslation();
  const current = useRef<HTMLLIElement>(null);
  const params = { kind, itemId, submissionId: detail.id };
  // The list is one line, which may be longer than the screen is wide.
  useEffect(() => {
    // Some browsers return a promise, which must not become the cleanup function.
    void current.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers
    <ul role="list" className="desk-questions small" aria-label={t('Questions')}>
      {of.outline.questions.map(({ id, label, title, max_points }) => {
        const isCurrent = id === of.question.id;
        const given = isCurrent ? points : answerIn(detail, id)?.points;
        return (
          <li key={id} ref={isCurrent ? current : undefined}>
            <Link
              to="/grading/$kind/$itemId/submissions/$submissionId"
              params={params}
              search={{ question: id }}
              resetScroll={false}
              aria-current={isCurrent ? 'true' : undefined}
              title={title ?? undefined}
            >
              <strong className="written-line" dir="auto">
                {label}
              </strong>{' '}
              <span className="figures" dir="ltr">
                {typeof given === 'number' ? formatNumber(given) : '–'} / {formatNumber(max_points)}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
