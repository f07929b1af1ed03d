import { useWords } from '../../shared/language/text.ts';
import { refusalOf } from './refusal.ts';

/** What the school refused, and what to do now. */
export function UploadRefusal({ message }: { message: string }) {
  const { t } = useWords();
  const { title, advice } = refusalOf(message);
  return (
    <div className="notice bad refusal" role="alert">
      <strong dir="auto">{t(title)}</strong>
      <span>{t(advice)}</span>
    </div>
  );
}
