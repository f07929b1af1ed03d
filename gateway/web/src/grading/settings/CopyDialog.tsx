import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Choice, Field } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { coursesQuery } from '../../shared/api/ownCourses.ts';
import type { Item, ItemId } from '../queue/gradingTypes.ts';
import { copyItem } from '../queue/itemRequests.ts';
import { classesQuery } from './classesQuery.ts';

interface Props {
  id: ItemId;
  item: Item;
  onClose(): void;
}

/** Copies a quiz into a course, or an assignment to a class, as a draft without times. */
export function CopyDialog({ id, item, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const courses = useQuery(coursesQuery);
  const [courseId, setCourseId] = useState(item.course_id);
  const isQuiz = id.kind === 'quizzes';
  const classes = useQuery({ ...classesQuery(courseId), enabled: !isQuiz });
  const taught = (courses.data ?? []).filter(({ role }) => role === 'teacher');

  const save = async (form: FormData) => {
    const copy = await copyItem(
      id,
      isQuiz
        ? { course_id: courseId, title: String(form.get('title')).trim() }
        : { class_id: Number(form.get('class_id')) },
    );
    await queryClient.invalidateQueries({ queryKey: ['items', id.kind] });
    await navigate({
      to: '/grading/$kind/$itemId/settings',
      params: { kind: id.kind, itemId: copy.id },
    });
  };
  const { dialog, errorOf } = useDialogForm(save, onClose, ['course_id', 'class_id', 'title']);
  return (
    <FormDialog
      title={t('Copy {title}', { title: item.title })}
      action={t('Copy')}
      {...dialog}
      isDisabled={dialog.isDisabled || (!isQuiz && !classes.data?.length)}
    >
      <p className="quiet">{t('The copy is a draft without times. It has the PDF and the rubric.')}</p>
      <Choice
        label={t('Course')}
        value={String(courseId)}
        error={errorOf('course_id')}
        options={taught.map((course) => [String(course.id), course.title] as const)}
        onChange={(chosen) => setCourseId(Number(chosen))}
      />
      {isQuiz ? (
        <Field
          label={t('Title')}
          name="title"
          maxLength={255}
          defaultValue={item.title}
          error={errorOf('title')}
        />
      ) : (
        <Choice
          key={courseId}
          label={t('Class')}
          name="class_id"
          error={errorOf('class_id')}
          options={(classes.data ?? []).map(({ id: classId, title }) => [String(classId), title] as const)}
        />
      )}
    </FormDialog>
  );
}
