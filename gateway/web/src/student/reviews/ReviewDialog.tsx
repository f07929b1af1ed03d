import { useState } from 'react';
import { LongField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';

interface Props {
  title: string;
  onAsk(text: string): Promise<void>;
  onClose(): void;
}

const minLength = 10;
const maxLength = 2_000;

/** Asks graders to look at a grading again. */
export function ReviewDialog({ title, onAsk, onClose }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  // Counts characters as the service does.
  const length = [...text.trim()].length;
  const { dialog, errorOf } = useDialogForm(() => onAsk(text), onClose, ['text']);
  return (
    <FormDialog {...dialog} title={title} action={t('Ask for a review')} isDisabled={length < minLength}>
      <p>{t('Graders look at your work again and answer. Say what they should look at, and why.')}</p>
      <LongField
        name="text"
        label={t('Your reasons')}
        hint={t('{count} of 2,000 characters, at least 10', { count: String(length) })}
        error={errorOf('text')}
        maxLength={maxLength}
        onChange={({ target }) => setText(target.value)}
      />
    </FormDialog>
  );
}
