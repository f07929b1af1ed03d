import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../../shared/api/apiError.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { explain, Progress } from '../../shared/ui/states.tsx';
import { ArchiveForm } from './ArchiveForm.tsx';
import './import.css';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { ImportPreview } from './ImportPreview.tsx';
import { changesIn, countsByFile } from './importPreview.ts';
import { progressQuery } from './importRequests.ts';
import type { ImportPlan } from './importTypes.ts';
import { useImport } from './useImport.ts';

/** Imports a school from an archive: previews the changes, then applies exactly those. */
export function ImportPage() {
  const { t } = useTranslation();
  const { step, preview, commit, previewAgain, restart } = useImport();
  return (
    <>
      <PageHeader title={t('Import')} />
      {'failure' in step && step.at !== 'stale' && step.failure !== undefined && (
        <Failure error={step.failure} />
      )}
      {step.at === 'choice' && <ArchiveForm onPreview={(choice) => void preview(choice)} />}
      {step.at === 'sending' && <Sending {...step} />}
      {(step.at === 'preview' || step.at === 'importing') && (
        <ImportPreview plan={step.plan}>
          {step.at === 'importing' ? (
            <Working id={step.plan.id} text={t('Importing')} />
          ) : (
            <Decision plan={step.plan} onImport={() => void commit(step.plan)} onRestart={restart} />
          )}
        </ImportPreview>
      )}
      {step.at === 'stale' && (
        <div className="import-part" role="alert">
          <h2>{t('Nothing was imported')}</h2>
          <p className="prose">
            {t(
              'The school has changed since the preview, or another import is running. Preview the file again to see what it would change now.',
            )}
          </p>
          <p className="quiet small" dir="auto">
            {step.failure.message}
          </p>
          <div className="form-buttons">
            <Button className="button primary" onPress={() => void previewAgain()}>
              {t('Preview again')}
            </Button>
            <Button className="button" onPress={restart}>
              {t('Choose another file')}
            </Button>
          </div>
        </div>
      )}
      {step.at === 'end' && <End plan={step.plan} onRestart={restart} />}
    </>
  );
}

function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const sentences =
    error instanceof ApiError && error.status === 422
      ? Object.entries(error.fields).flatMap(([place, texts]) =>
          texts.map((text) => (place.includes(':') ? `${place}: ${text}` : text)),
        )
      : error instanceof ApiError && error.status === 413
        ? [t('The file is too large: at most 50 MB.')]
        : [explain(error, t).title];
  return (
    <ul role="alert" className="notice bad stacked" dir="auto">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

function Sending({ id, sent, total }: { id: string; sent: number; total: number }) {
  const { t } = useTranslation();
  const isSent = total > 0 && sent === total;
  return (
    <div className="import-part">
      {isSent ? (
        <Working id={id} text={t('Reading the file')} isNew />
      ) : (
        <div className="import-progress">
          <p>{t('Uploading')}</p>
          <Progress name={t('Uploading')} value={sent} max={total} />
        </div>
      )}
    </div>
  );
}

// A short file is processed before its progress would be visible, and a new import is not available on the server
// immediately.
const newImportMs = 1_500;

/** Shows how many rows the server has processed. */
function Working({ id, text, isNew = false }: { id: string; text: string; isNew?: boolean }) {
  const { t, formatNumber } = useTranslation();
  const [isKnown, setKnown] = useState(!isNew);
  useEffect(() => {
    const timer = setTimeout(() => setKnown(true), newImportMs);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({ ...progressQuery(id), enabled: isKnown });
  const [done, total] = [data?.done ?? 0, data?.total ?? 0];
  return (
    <div className="import-progress">
      <p>{text}</p>
      <Progress name={text} value={done} max={total} />
      <p className="quiet small figures">
        {total === 0
          ? '\u00a0'
          : t('{done} of {total} rows', { done: formatNumber(done), total: formatNumber(total) })}
      </p>
    </div>
  );
}

interface DecisionProps {
  plan: ImportPlan;
  onImport(): void;
  onRestart(): void;
}

function Decision({ plan, onImport, onRestart }: DecisionProps) {
  const { t } = useTranslation();
  const changes = changesIn(countsByFile(plan));
  return (
    <>
      <p>
        {plan.token === null
          ? t('Correct the rows with errors before you import.')
          : changes === 0
            ? t('The school already has all of this. Nothing would change.')
            : t('Nothing has changed yet. The import will make exactly the changes shown below.')}
      </p>
      <div className="form-buttons">
        {plan.token !== null && changes > 0 && (
          <Button className="button primary" onPress={onImport}>
            {t('Import')}
          </Button>
        )}
        <Button className="button" onPress={onRestart}>
          {t('Choose another file')}
        </Button>
      </div>
    </>
  );
}

function End({ plan, onRestart }: { plan: ImportPlan; onRestart(): void }) {
  const { t } = useTranslation();
  const progress = useQuery({ ...progressQuery(plan.id), enabled: plan.state !== 'done' });
  const isDone = plan.state === 'done' || progress.data?.state === 'done';
  return (
    <ImportPreview plan={plan}>
      <p role="status" className="import-result">
        {isDone
          ? t('Imported: {count, plural, one {# row has} other {# rows have}} changed the school.', {
              count: changesIn(countsByFile(plan)),
            })
          : t('Imported. The accounts are still being created. This finishes automatically.')}
      </p>
      <div className="form-buttons">
        <Link to="/console/courses" className="button">
          {t('Courses')}
        </Link>
        <Link to="/console/users" className="button">
          {t('Users')}
        </Link>
        <Button className="button" onPress={onRestart}>
          {t('Import another file')}
        </Button>
      </div>
    </ImportPreview>
  );
}
