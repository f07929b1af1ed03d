import { useWords } from '../../shared/language/text.ts';
import { refusalOf } from './refusal.ts';

/** Shows why an upload was rejected, and what to do next. */
export function UploadRefusal({ message, isUpcoming }: { message: string; isUpcoming: boolean }) {
  const { t } = useWords();
  const { title, advice } = refusalOf(message, isUpcoming);
  return (
    <div className="notice bad refusal" role="alert">
      <strong dir="auto">{t(title)}</strong>
      <span>{t(advice)}</span>
    </div>
  );
}
