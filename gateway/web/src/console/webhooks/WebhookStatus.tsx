import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Webhook } from './webhookTypes.ts';

/** Shows whether a webhook works. */
export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const { is_active, disabled_reason, failing_since } = webhook;
  if (!is_active && disabled_reason === 'gone')
    return <span className="badge bad">{t('Disabled: the receiver is gone')}</span>;
  if (!is_active && disabled_reason === 'failing')
    return <span className="badge bad">{t('Disabled: deliveries failed for days')}</span>;
  if (!is_active) return <span className="badge">{t('Disabled')}</span>;
  if (failing_since !== null) return <span className="badge warning">{t('Failing')}</span>;
  return <span>{t('Active')}</span>;
}
