import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Time } from '../../shared/time/Time.tsx';
import { EmptyState, ErrorState, explain, Loading } from '../../shared/ui/states.tsx';
import { LateNote } from '../records/LateNote.tsx';
import {
  coursesQuery,
  gradesQuery,
  homeworksQuery,
  quizSubmissionsQuery,
  quizzesQuery,
} from '../records/studentQueries.ts';
import './grades.css';
import { type CourseGrades, type GradeLine, gradesByCourse } from './gradesByCourse.ts';

/** A student's grades, by course. */
export function GradesPage() {
  const { t } = useTranslation();
  const grades = useQuery(gradesQuery);
  const courses = useQuery(coursesQuery);
  // Only needed for links to the submissions. Without them the grades are still shown.
  const quizzes = useQuery(quizzesQuery);
  const submissions = useQuery(quizSubmissionsQuery);
  const homeworks = useQuery(homeworksQuery);
  const known = gradesByCourse({
    grades: grades.data ?? [],
    courses: courses.data ?? [],
    quizzes: quizzes.data?.items ?? [],
    submissions: submissions.data ?? [],
    homeworks: homeworks.data?.items ?? [],
  });

  return (
    <div className="page">
      <div className="page-header">
        <h1>{t('Grades')}</h1>
      </div>
      {grades.error && grades.data && (
        <p className="notice" role="alert">
          {explain(grades.error, t).title}
        </p>
      )}
      {grades.error && !grades.data ? (
        <ErrorState error={grades.error} onRetry={() => void grades.refetch()} />
      ) : grades.isPending || courses.isPending ? (
        <Loading />
      ) : known.length === 0 ? (
        <EmptyState title={t('You have no courses')}>
          <p>{t('Your grades appear here, by course.')}</p>
        </EmptyState>
      ) : (
        known.map((course) => <CourseSection key={course.id} course={course} />)
      )}
    </div>
  );
}

function CourseSection({ course: { id, title, grades } }: { course: CourseGrades }) {
  const { t } = useTranslation();
  const heading = `course-${id}`;
  return (
    <section className="course-grades" aria-labelledby={heading}>
      <h2 id={heading} className="written">
        {title ?? t('A course you have left')}
      </h2>
      {grades.length === 0 ? (
        <p className="quiet">{t('No grades yet.')}</p>
      ) : (
        <table className="card grades" aria-labelledby={heading}>
          <thead className="unseen">
            <tr>
              <th scope="col">{t('Title')}</th>
              <th scope="col">{t('Graded on')}</th>
              <th scope="col">{t('Grade')}</th>
            </tr>
          </thead>
          <tbody>
            {grades.map((grade, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: grades may share a title, and rows are stateless
              <GradeRow key={`${index} ${grade.title}`} grade={grade} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function GradeRow({
  grade: { kind, title, grade, finalGrade, late, totalGrade, gradedAt, submissionId },
}: {
  grade: GradeLine;
}) {
  const { t, formatNumber } = useTranslation();
  return (
    <tr>
      <th scope="row">
        {submissionId === null ? (
          <span className="written">{title}</span>
        ) : (
          <Link to="/my/submissions/$kind/$id" params={{ kind, id: submissionId }} className="written">
            {title}
          </Link>
        )}
        <span className="quiet small">{kind === 'quizzes' ? t('Quiz') : t('Homework')}</span>
      </th>
      <td className="quiet small">
        <Time at={gradedAt} />
      </td>
      <td className="figures grade">
        {t('{graded} of {total}', { graded: formatNumber(finalGrade), total: formatNumber(totalGrade) })}
        <LateNote late={late} grade={grade} />
      </td>
    </tr>
  );
}
