import { useWords } from '../../shared/language/text.ts';
import { fieldTimeOf, momentOf } from '../../shared/time/moment.ts';
import { Field, TimeField } from '../form/Field.tsx';
import { FormDialog } from '../form/FormDialog.tsx';
import { useSubmission } from '../form/useSubmission.ts';
import type { CourseItem } from './courseTypes.ts';
import { bodyOf } from './itemForm.ts';

const times = ['opens_at', 'closes_at'];
const fields = [
  ...times,
  'title',
  'file',
  'questions_count_of_quiz_pdf',
  'total_grade_for_quiz_pdf',
  'duration_minutes',
];

interface Props {
  courseId: number;
  quiz?: CourseItem;
  onSave(form: FormData): Promise<unknown>;
  onClose(): void;
}

/** Creates or changes a quiz. The interface does not return the present value of some fields; these stay unless filled in. */
export function QuizDialog({ courseId, quiz, onSave, onClose }: Props) {
  const { t } = useWords();
  const { isBusy, mistake, mistakeOf, submit } = useSubmission(fields);
  const before = quiz && {
    title: quiz.title,
    total_grade_for_quiz_pdf: quiz.total_grade === null ? '' : String(quiz.total_grade),
    closes_at: quiz.closes_at === null ? '' : fieldTimeOf(momentOf(quiz.closes_at)),
  };
  const keepHint = quiz && t('Leave empty to keep the current value.');
  const send = async (form: FormData) => {
    const body = bodyOf(form, times, before);
    if (quiz && body.keys().next().done) return onClose();
    if (!quiz) body.append('course_id', String(courseId));
    if (await submit(() => onSave(body))) onClose();
  };
  return (
    <FormDialog
      title={quiz ? t('Edit the quiz') : t('New quiz')}
      action={quiz ? t('Save') : t('Create')}
      isBusy={isBusy}
      mistake={mistake}
      onSubmit={(form) => void send(form)}
      onClose={onClose}
    >
      <Field
        label={t('Title')}
        name="title"
        maxLength={255}
        defaultValue={before?.title}
        mistake={mistakeOf('title')}
        autoFocus
      />
      <Field
        label={quiz ? t('Replace the question PDF') : t('Questions as PDF')}
        name="file"
        type="file"
        accept="application/pdf,.pdf"
        hint={keepHint ?? t('Up to 25 MB. You can add it later.')}
        mistake={mistakeOf('file')}
      />
      <div className="field-pair">
        <Field
          label={t('Out of')}
          name="total_grade_for_quiz_pdf"
          inputMode="decimal"
          defaultValue={before?.total_grade_for_quiz_pdf}
          // With a rubric the present value is that of the rubric.
          readOnly={quiz?.has_rubric}
          hint={quiz?.has_rubric ? t('Set by the rubric.') : undefined}
          mistake={mistakeOf('total_grade_for_quiz_pdf')}
        />
        <Field
          label={t('Number of questions')}
          name="questions_count_of_quiz_pdf"
          inputMode="numeric"
          hint={keepHint}
          mistake={mistakeOf('questions_count_of_quiz_pdf')}
        />
      </div>
      <div className="field-pair">
        <TimeField label={t('Opens')} name="opens_at" hint={keepHint} mistake={mistakeOf('opens_at')} />
        <TimeField
          label={t('Closes')}
          name="closes_at"
          defaultValue={before?.closes_at}
          mistake={mistakeOf('closes_at')}
        />
      </div>
      <Field
        label={t('Minutes for an attempt')}
        name="duration_minutes"
        inputMode="decimal"
        hint={keepHint ?? t('The time starts when a student opens the questions.')}
        mistake={mistakeOf('duration_minutes')}
      />
    </FormDialog>
  );
}
