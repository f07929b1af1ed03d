import { Field } from '../form/Field.tsx';
import { useTranslation } from '../language/useTranslation.ts';

interface Props {
  label: string;
  /** Whether a PDF is stored, which a chosen one replaces. */
  isStored: boolean;
  error: string | undefined;
}

export function PdfField({ label, isStored, error }: Props) {
  const { t } = useTranslation();
  return (
    <Field
      label={label}
      name="file"
      type="file"
      accept="application/pdf,.pdf"
      hint={
        isStored
          ? t('The current one stays until another is chosen.')
          : t('Up to 25 MB. You can add it later.')
      }
      error={error}
    />
  );
}
