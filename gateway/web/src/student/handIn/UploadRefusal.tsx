import { useTranslation } from '../../shared/language/useTranslation.ts';
import { explainUploadError } from './uploadErrors.ts';

/** Shows why an upload was rejected, and what to do next. */
export function UploadRefusal({ message, isUpcoming }: { message: string; isUpcoming: boolean }) {
  const { t } = useTranslation();
  const { title, advice } = explainUploadError(message, isUpcoming);
  return (
    <div className="notice bad refusal" role="alert">
      <strong dir="auto">{t(title)}</strong>
      <span>{t(advice)}</span>
    </div>
  );
}
