import { useState } from 'react';
import { useTranslation } from '../../language/useTranslation.ts';
import { Field } from '../Field.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { useFormRequest } from '../useFormRequest.ts';
import './fileImport.css';

/** What a file would change. */
export interface FileEffect {
  /** The changes by name. */
  counts: readonly (readonly [name: string, count: number])[];
  errors: readonly { line: number; message: string }[];
  /** Applies exactly these changes. Absent while there are errors. */
  token?: string | undefined;
}

interface Props {
  title: string;
  /** The columns that the file has. */
  hint: string;
  check(file: FormData): Promise<FileEffect>;
  apply(token: string): Promise<void>;
  onClose(): void;
}

/** Uploads a CSV file, shows what it would change, and applies that once the user has seen it. */
export function FileImportDialog({ title, hint, check, apply, onClose }: Props) {
  const { t } = useTranslation();
  const { isBusy, error, errorOf, submit } = useFormRequest(['file']);
  const [effect, setEffect] = useState<FileEffect>();
  const token = effect?.token;
  const send = async (form: FormData) => {
    if (token === undefined) await submit(async () => setEffect(await check(form)));
    else if (await submit(() => apply(token))) onClose();
  };
  return (
    <FormDialog
      title={title}
      action={token === undefined ? t('Check the file') : t('Apply')}
      isBusy={isBusy}
      error={error}
      onSubmit={(form) => void send(form)}
      onClose={onClose}
    >
      <Field
        label={t('CSV file')}
        name="file"
        type="file"
        accept=".csv,text/csv"
        hint={hint}
        error={errorOf('file')}
        onChange={() => setEffect(undefined)}
      />
      {effect && <Effect effect={effect} />}
    </FormDialog>
  );
}

const shownErrors = 50;

function Effect({ effect: { counts, errors } }: { effect: FileEffect }) {
  const { t } = useTranslation();
  return (
    <div role="status">
      <p>{counts.map(([name, count]) => `${t(name)}: ${count}`).join(' · ')}</p>
      {errors.length > 0 && (
        <>
          <p>{t('Correct these lines. Nothing is changed before that.')}</p>
          <ul className="file-errors">
            {errors.slice(0, shownErrors).map(({ line, message }) => (
              <li key={`${line} ${message}`}>
                {t('Line {line}', { line })}: <span className="written">{message}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
