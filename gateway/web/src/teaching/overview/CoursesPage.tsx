import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { coursesQuery } from '../../shared/api/ownCourses.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { fieldTimeOf } from '../../shared/time/moment.ts';
import { RelativeTime } from '../../shared/time/RelativeTime.tsx';
import { Loaded } from '../../shared/ui/Loaded.tsx';
import { PartMissing } from '../../shared/ui/PartMissing.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { workQuery } from '../records/teachingQueries.ts';
import type { WorkItem } from '../records/teachingTypes.ts';
import { type CourseCard, courseCards } from './courseCards.ts';
import './courses.css';

const schoolDayOf = (moment: Date): string => fieldTimeOf(moment).slice(0, 10);

/** Shows a teacher's courses, each with its ungraded work and the next closing time. */
export function CoursesPage() {
  const { t } = useTranslation();
  const courses = useQuery(coursesQuery);
  const work = [useQuery(workQuery('quizzes')), useQuery(workQuery('homeworks'))];
  const failed = work.filter(({ error }) => error);
  const items = work.flatMap(({ data }) => data?.items ?? []);
  const servedAt = work.find(({ data }) => data?.servedAt)?.data?.servedAt;
  return (
    <div className="page">
      <PageHeader title={t('Courses')} />
      {failed.length > 0 && courses.data && (
        <PartMissing
          error={failed[0]?.error}
          onRetry={() => {
            for (const list of failed) void list.refetch();
          }}
        />
      )}
      <Loaded query={courses}>
        {(own) =>
          own.length === 0 ? (
            <EmptyState title={t('You have no courses')}>
              <p>{t('Ask an administrator to assign you to the courses you teach.')}</p>
            </EmptyState>
          ) : (
            <ul className="course-cards" aria-label={t('Courses')}>
              {courseCards(own, items, servedAt, schoolDayOf).map((card) => (
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
  return (
    <li className="card course-card">
      <div className="course-head">
        <Link to="/courses/$courseId" params={{ courseId: id }} className="course-link">
          <span className="written course-title">{title}</span>{' '}
          <span className="course-waits">
            {toGrade === 0 && !closesToday && <span className="quiet small">{t('Nothing to grade')}</span>}
            {toGrade > 0 && (
              <span className="badge accent">{t('{count} to grade', { count: formatNumber(toGrade) })}</span>
            )}{' '}
            {closesToday && <span className="badge warning">{t('closes today')}</span>}
          </span>
        </Link>
        {isGrader && <span className="badge">{t('Grader')}</span>}
      </div>
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
          className="button primary course-continue"
        >
          <span>{t('Continue grading')}</span>{' '}
          <span className="small written-line" dir="auto">
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
        {t('Closes')} {closes_at !== null && <RelativeTime at={closes_at} />}
      </span>
    </li>
  );
}
