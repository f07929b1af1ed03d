import { filePath } from '../../shared/api/filePath.ts';
import { Check, Field } from '../../shared/form/Field.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Item } from '../queue/gradingTypes.ts';

/** The PDF of the questions or exercises: the stored one, another, or none. */
export function PdfFields({ item, error }: { item: Item; error: string | undefined }) {
  const { t } = useTranslation();
  const url = item.questions_url;
  return (
    <div className="settings-pdf">
      <Field
        label={url ? t('Replace the PDF') : t('PDF')}
        name="file"
        type="file"
        accept="application/pdf,.pdf"
        hint={
          url ? t('The current one stays until another is chosen.') : t('Up to 25 MB. You can add it later.')
        }
        error={error}
      />
      {url && (
        <>
          <a href={filePath(url)} target="_blank" rel="noopener">
            {t('Open the current PDF')}
          </a>
          <Check label={t('Remove the PDF')} name="no_file" />
        </>
      )}
    </div>
  );
}
