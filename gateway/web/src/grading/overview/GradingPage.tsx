import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { coursesQuery } from '../../shared/api/ownCourses.ts';
import type { GradingItem, Kind } from '../../shared/api/workTypes.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PartMissing } from '../../shared/ui/PartMissing.tsx';
import { EmptyState, ErrorState, Loading, Progress } from '../../shared/ui/states.tsx';
import { itemsQuery } from '../queue/gradingQueries.ts';
import { itemsByCourse } from './itemsByCourse.ts';
import './overview.css';

/** Shows the items to grade, by course. */
export function GradingPage() {
  const { t } = useTranslation();
  const courses = useQuery(coursesQuery);
  const quizzes = useQuery(itemsQuery('quizzes'));
  const homeworks = useQuery(itemsQuery('homeworks'));
  const lists = [courses, quizzes, homeworks];
  const failed = lists.filter(({ error }) => error);
  const retry = () => {
    for (const list of failed) void list.refetch();
  };
  const known = itemsByCourse(courses.data ?? [], quizzes.data ?? [], homeworks.data ?? []);

  return (
    <div className="page">
      <div className="page-header">
        <h1>{t('Grading')}</h1>
      </div>
      {failed.length > 0 && failed.length < lists.length && (
        <PartMissing error={failed[0]?.error} onRetry={retry} />
      )}
      {failed.length === lists.length ? (
        <ErrorState error={failed[0]?.error} onRetry={retry} />
      ) : lists.some(({ isPending }) => isPending) ? (
        <Loading />
      ) : known.length === 0 ? (
        <EmptyState title={t('You have no courses')}>
          <p>{t('Ask an administrator to assign you to the courses you grade.')}</p>
        </EmptyState>
      ) : (
        known.map(({ id, title, items }) => (
          <section key={id} className="course" aria-labelledby={`course-${id}`}>
            <h2 id={`course-${id}`} className="written">
              {title}
            </h2>
            {items.length === 0 ? (
              <p className="quiet">{t('Nothing to grade yet.')}</p>
            ) : (
              <ul className="card items">
                {items.map(({ kind, item }) => (
                  <ItemLine key={`${kind}-${item.id}`} kind={kind} item={item} />
                ))}
              </ul>
            )}
          </section>
        ))
      )}
    </div>
  );
}

function ItemLine({ kind, item }: { kind: Kind; item: GradingItem }) {
  const { t } = useTranslation();
  const { id, title, submissions, graded } = item;
  return (
    <li className="item-line">
      <div className="item-title">
        <Link to="/grading/$kind/$itemId" params={{ kind, itemId: id }} className="written">
          {title}
        </Link>
        <span className="quiet small">{kind === 'quizzes' ? t('Quiz') : t('Homework')}</span>
      </div>
      <div className="item-progress">
        <Progress name={t('{title} graded', { title })} value={graded} max={submissions} />
        <span className="quiet small figures">
          {submissions === 0
            ? t('No submissions')
            : t('{graded} of {total}', { graded: String(graded), total: String(submissions) })}
        </span>
      </div>
    </li>
  );
}
