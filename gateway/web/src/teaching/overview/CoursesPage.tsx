import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { coursesQuery } from '../../shared/api/ownCourses.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { fieldTimeOf, momentOf } from '../../shared/time/moment.ts';
import { Time } from '../../shared/time/Time.tsx';
import { Loaded } from '../../shared/ui/Loaded.tsx';
import { EmptyState, explain } from '../../shared/ui/states.tsx';
import { workQuery } from '../records/teachingQueries.ts';
import type { WorkItem } from '../records/teachingTypes.ts';
import { type CourseCard, courseCards } from './courseCards.ts';
import './courses.css';

const schoolDayOf = (moment: Date): string => fieldTimeOf(moment).slice(0, 10);
const dayOf = (time: string): string => schoolDayOf(momentOf(time));

/** Shows a teacher's courses, each with its ungraded work and the next closing time. */
export function CoursesPage() {
  const { t } = useTranslation();
  const courses = useQuery(coursesQuery);
  const work = [useQuery(workQuery('quizzes')), useQuery(workQuery('homeworks'))];
  const failure = work.find(({ error }) => error)?.error;
  const items = work.flatMap(({ data }) => data?.items ?? []);
  const servedAt = work.find(({ data }) => data?.servedAt)?.data?.servedAt;
  return (
    <div className="page">
      <PageHeader title={t('Courses')} />
      {failure !== undefined && courses.data && (
        <p className="notice" role="alert">
          {explain(failure, t).title}. {t('Part of this page is missing.')}
        </p>
      )}
      <Loaded query={courses}>
        {(own) =>
          own.length === 0 ? (
            <EmptyState title={t('You have no courses')}>
              <p>{t('Ask an administrator to assign you to the courses you teach.')}</p>
            </EmptyState>
          ) : (
            <ul className="course-cards" aria-label={t('Courses')}>
              {courseCards(own, items, servedAt && schoolDayOf(servedAt), dayOf).map((card) => (
                <Card key={card.id} card={card} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

function Card({
  card: { id, title, isGrader, toGrade, closesToday, due, toContinue },
}: {
  card: CourseCard;
}) {
  const { t, formatNumber } = useTranslation();
  const waits = [
    ...(toGrade > 0 ? [t('{count} to grade', { count: formatNumber(toGrade) })] : []),
    ...(closesToday ? [t('closes today')] : []),
  ];
  return (
    <li className="card course-card">
      <Link to="/courses/$courseId" params={{ courseId: id }} className="course-link">
        <span className="written course-title">{title}</span>{' '}
        <span className={waits.length > 0 ? 'course-waits' : 'quiet'}>
          {waits.length > 0 ? waits.join(', ') : t('Nothing to grade')}
        </span>
      </Link>
      {isGrader && <span className="badge">{t('Grader')}</span>}
      {due.length > 0 && (
        <ul className="course-due">
          {due.map((item) => (
            <DueLine key={`${item.kind}-${item.id}`} item={item} />
          ))}
        </ul>
      )}
      {toContinue && (
        <Link
          to="/grading/$kind/$itemId"
          params={{ kind: toContinue.kind, itemId: toContinue.id }}
          className="button course-continue"
        >
          <span>{t('Continue grading')}</span>{' '}
          <span className="quiet small written-line" dir="auto">
            {toContinue.title}
          </span>
        </Link>
      )}
    </li>
  );
}

function DueLine({ item: { kind, id, title, closes_at } }: { item: WorkItem }) {
  const { t } = useTranslation();
  return (
    <li>
      <Link to="/grading/$kind/$itemId" params={{ kind, itemId: id }} className="written">
        {title}
      </Link>{' '}
      <span className="quiet small">
        {t('Closes')} {closes_at !== null && <Time at={closes_at} />}
      </span>
    </li>
  );
}
