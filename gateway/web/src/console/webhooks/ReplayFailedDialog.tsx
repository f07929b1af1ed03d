import { TimeField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { fieldTimeOf, utcTimeOf } from '../../shared/time/moment.ts';
import { replayFailed } from './webhookRequests.ts';

interface Props {
  webhookId: number;
  onReplayed(count: number): void;
  onClose(): void;
}

const dayMs = 86_400_000;

/** Resends all messages that have failed since a given time. */
export function ReplayFailedDialog({ webhookId, onReplayed, onClose }: Props) {
  const { t } = useTranslation();
  const replay = async (form: FormData) => {
    const since = String(form.get('since'));
    onReplayed(await replayFailed(webhookId, since === '' ? '' : utcTimeOf(since)));
  };
  const { dialog, errorOf } = useDialogForm(replay, onClose, ['since']);
  return (
    <FormDialog title={t('Replay failed deliveries')} action={t('Replay')} {...dialog}>
      <p className="quiet">{t('The receiver gets these messages again, up to 10,000, with the same IDs.')}</p>
      <TimeField
        label={t('Since')}
        name="since"
        defaultValue={fieldTimeOf(new Date(Date.now() - dayMs))}
        error={errorOf('since')}
      />
    </FormDialog>
  );
}
