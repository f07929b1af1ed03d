import { Button } from 'react-aria-components';
import { useTranslation } from '../language/useTranslation.ts';
import { explain } from './states.tsx';

/** Shown above a page that lacks a part, because one of its requests failed. */
export function PartMissing({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const { t } = useTranslation();
  return (
    <div className="notice" role="alert">
      <p>
        {explain(error, t).title}. {t('Part of this page is missing.')}
      </p>
      <Button className="text-button" onPress={onRetry}>
        {t('Try again')}
      </Button>
    </div>
  );
}
