import { useQuery } from '@tanstack/react-query';
import { Picker } from '../../shared/form/picker/Picker.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { allCoursesQuery } from './courseQueries.ts';

interface Props {
  chosen: number | undefined;
  onChoose(id: number): void;
}

/** Finds a course by part of its title. */
export function CoursePicker({ chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const courses = useQuery(allCoursesQuery);
  const options = (courses.data ?? []).map(({ id, title }) => ({ id, name: title }));
  const title = options.find(({ id }) => id === chosen)?.name ?? '';
  return (
    <Picker
      // The text is the course's title, which may load later or change with the URL.
      key={title}
      label={t('Course')}
      placeholder={t('Part of the title')}
      text={title}
      find={(text) => {
        const wanted = text.toLocaleLowerCase();
        return options.filter(({ name }) => name.toLocaleLowerCase().includes(wanted)).slice(0, 50);
      }}
      status={courses.isPending ? t('Loading…') : t('No course title contains this text.')}
      onChoose={({ id }) => onChoose(id)}
    />
  );
}
