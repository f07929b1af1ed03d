import { useState } from 'react';
import { Check, Field } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { eventTypes, type Webhook, type WebhookFields } from './webhookTypes.ts';

interface Props {
  webhook?: Webhook;
  onSave(fields: WebhookFields): Promise<unknown>;
  onClose(): void;
}

/** Creates or changes a webhook. */
export function WebhookDialog({ webhook, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const before: readonly string[] = webhook?.event_types ?? ['*'];
  const [isAll, setAll] = useState(before.includes('*'));
  const save = (form: FormData) =>
    onSave({
      url: String(form.get('url')).trim(),
      description: String(form.get('description')).trim() || null,
      event_types: isAll ? ['*'] : form.getAll('event_types'),
    } as WebhookFields);
  const { dialog, errorOf } = useDialogForm(save, onClose, ['url', 'description']);
  return (
    <FormDialog
      title={webhook ? t('Edit the webhook') : t('New webhook')}
      action={webhook ? t('Save') : t('Create')}
      isEdit={webhook !== undefined}
      {...dialog}
    >
      <Field
        label={t('Address')}
        name="url"
        type="url"
        dir="ltr"
        maxLength={2048}
        placeholder="https://registry.school.example/gradeway"
        defaultValue={webhook?.url}
        error={errorOf('url')}
        autoFocus
      />
      <Field
        label={t('Description')}
        name="description"
        maxLength={1000}
        defaultValue={webhook?.description ?? ''}
        isClearable={Boolean(webhook?.description)}
        error={errorOf('description')}
      />
      <fieldset className="checks">
        <legend className="field-label">{t('Events')}</legend>
        <Check
          label={t('Everything, including events added in later versions')}
          name="all"
          checked={isAll}
          onChange={(event) => setAll(event.target.checked)}
        />
        {!isAll &&
          eventTypes.map(([type, english]) => (
            <Check
              key={type}
              label={t(english)}
              name="event_types"
              value={type}
              defaultChecked={before.includes(type)}
            />
          ))}
      </fieldset>
    </FormDialog>
  );
}
