import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Check } from '../../shared/form/Field.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { allCoursesQuery } from '../pickers/courseQueries.ts';
import './serviceAccounts.css';

interface Props {
  /** Null for all courses. */
  chosen: readonly number[] | null;
  error: string | undefined;
}

/**
 * Limits a service account to some courses. The form submits their ids as `course_ids`, and sets `all_courses` if
 * there is no limit.
 */
export function CourseLimit({ chosen, error }: Props) {
  const { t } = useTranslation();
  const courses = useQuery(allCoursesQuery);
  const [isAll, setAll] = useState(chosen === null);
  return (
    <fieldset className="checks">
      <legend className="field-label">{t('Courses')}</legend>
      <Check
        label={t('All courses, including those created later')}
        name="all_courses"
        checked={isAll}
        onChange={(event) => setAll(event.target.checked)}
      />
      {!isAll && (
        <div className="course-limit">
          {(courses.data ?? []).map(({ id, title }) => (
            <Check
              key={id}
              label={title}
              name="course_ids"
              value={id}
              defaultChecked={chosen?.includes(id)}
            />
          ))}
        </div>
      )}
      {error !== undefined && (
        <p className="field-error" role="alert" dir="auto">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** The value of `course_ids` in the API. */
export const courseLimitOf = (form: FormData): number[] | null =>
  form.has('all_courses') ? null : form.getAll('course_ids').map(Number);
