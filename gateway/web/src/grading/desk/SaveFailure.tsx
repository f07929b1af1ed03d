import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { ApiError } from '../../shared/api/apiError.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { explain } from '../../shared/ui/states.tsx';
import type { ItemId } from '../queue/gradingTypes.ts';
import type { Saves } from './useSaves.ts';

/** Names the student whose grading was not saved. The draft stays on the device. */
export function SaveFailure({
  item,
  saves,
  onForget,
}: {
  item: ItemId;
  saves: Saves;
  onForget(id: number): void;
}) {
  const { t } = useTranslation();
  if (!saves.failure) return null;
  const { job, error } = saves.failure;
  const reason = error instanceof ApiError && error.status === 422 ? error.sentence : explain(error, t).title;
  const close = () => {
    onForget(job.owner.id);
    saves.forgetFailure();
  };
  return (
    <div className="save-failure notice bad" role="alert">
      <span>
        {t('The grade of {name} was not saved: {reason}', { name: job.studentName, reason })}{' '}
        {t('Your work is kept on this device.')}
      </span>
      <Link
        to="/grading/$kind/$itemId/submissions/$submissionId"
        params={{ ...item, submissionId: job.owner.id }}
        search={job.owner.questionId === undefined ? {} : { question: job.owner.questionId }}
        onClick={close}
        className="button"
      >
        {t('Open it')}
      </Link>
      <Button className="button plain" onPress={close}>
        {t('Close')}
      </Button>
    </div>
  );
}
