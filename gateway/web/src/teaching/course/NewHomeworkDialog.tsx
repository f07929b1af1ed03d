import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Check, Choice, Field, LongField, TimeField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { bodyOf } from '../../shared/form/itemFormData.ts';
import { PdfField } from '../../shared/form/PdfField.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { classesQuery, workQuery } from '../records/teachingQueries.ts';
import { createClass, setAssignment } from '../records/teachingRequests.ts';

interface Props {
  courseId: number;
  onCreated(work: Promise<unknown>): Promise<void>;
  onClose(): void;
}

const times = ['opens_at', 'closes_at'];
const fields = [...times, 'title', 'description', 'file'];
const newClass = 'new';

/** Creates the assignment of a class that has none, or of a new class. */
export function NewHomeworkDialog({ courseId, onCreated, onClose }: Props) {
  const { t } = useTranslation();
  const classes = useQuery(classesQuery(courseId));
  const homeworks = useQuery(workQuery('homeworks', courseId));
  const assigned = new Set(homeworks.data?.items.map(({ id }) => id));
  const free = homeworks.data ? (classes.data ?? []).filter(({ id }) => !assigned.has(id)) : [];
  const [chosen, choose] = useState(newClass);
  // A class that was created before its assignment was refused is reused.
  const created = useRef(new Map<string, number>());

  const classOf = async (title: string): Promise<number> => {
    if (chosen !== newClass) return Number(chosen);
    const classId = created.current.get(title) ?? (await createClass(courseId, title));
    created.current.set(title, classId);
    return classId;
  };
  const save = async (form: FormData) => {
    const body = bodyOf(form, times);
    const title = String(body.get('title') ?? '');
    body.delete('title');
    body.delete('class');
    // A form must have at least one field.
    if (body.keys().next().done) body.append('description', '');
    await onCreated(setAssignment(await classOf(title), body));
  };
  const { dialog, errorOf } = useDialogForm(save, onClose, fields);
  return (
    <FormDialog title={t('New homework')} action={t('Create')} {...dialog}>
      <Choice
        label={t('Class')}
        name="class"
        value={chosen}
        options={[[newClass, t('A new class')], ...free.map(({ id, title }) => [String(id), title] as const)]}
        onChange={choose}
      />
      {chosen === newClass && (
        <Field label={t('Title')} name="title" maxLength={255} error={errorOf('title')} autoFocus />
      )}
      <LongField
        label={t('Instructions')}
        name="description"
        maxLength={10_000}
        error={errorOf('description')}
      />
      <PdfField label={t('PDF')} isStored={false} error={errorOf('file')} />
      <div className="field-pair">
        <TimeField label={t('Opens')} name="opens_at" error={errorOf('opens_at')} />
        <TimeField label={t('Closes')} name="closes_at" error={errorOf('closes_at')} />
      </div>
      <Check label={t('Publish now')} name="published" value="true" />
      <p className="quiet small">{t('Students do not see a draft until you publish it.')}</p>
    </FormDialog>
  );
}
