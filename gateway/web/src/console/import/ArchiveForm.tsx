import { useState } from 'react';
import { Button } from 'react-aria-components';
import { Check, Field } from '../../shared/form/Field.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import '../../shared/form/form.css';

interface Props {
  onPreview(choice: { files: File[]; isPaid: boolean }): void;
}

/** Lets the user choose an archive. */
export function ArchiveForm({ onPreview }: Props) {
  const { t } = useTranslation();
  const [files, setFiles] = useState<File[]>([]);
  const [isPaid, setPaid] = useState(true);
  return (
    <form
      className="page-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (files.length > 0) onPreview({ files, isPaid });
      }}
    >
      <p className="quiet">
        {t(
          'A OneRoster 1.1 archive contains users, courses, classes and enrollments. The preview shows what each row would change. Nothing changes until you confirm.',
        )}
      </p>
      <Field
        label={t('Archive')}
        type="file"
        multiple
        accept=".zip,.csv,application/zip,text/csv"
        hint={t('A ZIP file of up to 50 MB, or the CSV files in it.')}
        onChange={(event) => setFiles([...(event.target.files ?? [])])}
      />
      <Check
        label={t('Mark new students as paid')}
        checked={isPaid}
        onChange={(event) => setPaid(event.target.checked)}
      />
      <div className="form-buttons">
        <Button type="submit" className="button primary" isDisabled={files.length === 0}>
          {t('Preview')}
        </Button>
      </div>
    </form>
  );
}
