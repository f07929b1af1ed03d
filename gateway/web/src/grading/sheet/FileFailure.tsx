import { Button } from 'react-aria-components';
import { filePath } from '../../shared/api/filePath.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { GradingFile } from '../queue/gradingTypes.ts';
import { failureOf } from './fileFailures.ts';

/** Placeholder for a file that cannot be displayed. It can still be graded. */
export function FileFailure({
  file: { name, url },
  error,
  onRetry,
}: {
  file: GradingFile;
  error: unknown;
  onRetry(): void;
}) {
  const { t } = useTranslation();
  const { title, advice, isFinal } = failureOf(error);
  return (
    <div className="state file-failure" role="alert">
      <h2>{t(title)}</h2>
      <p className="written-line" dir="auto">
        {name}
      </p>
      <p>{t(advice)}</p>
      {!isFinal && (
        <div className="dialog-buttons">
          <a className="button" href={filePath(url)} download>
            {t('Download the file')}
          </a>
          <Button className="button" onPress={onRetry}>
            {t('Try again')}
          </Button>
        </div>
      )}
    </div>
  );
}
