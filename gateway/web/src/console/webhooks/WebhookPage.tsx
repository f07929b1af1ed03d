import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import '../../shared/form/form.css';
import { Deliveries } from './Deliveries.tsx';
import { WebhookActions } from './WebhookActions.tsx';
import { WebhookStatus } from './WebhookStatus.tsx';
import './webhooks.css';
import { Breadcrumb } from '../../shared/layout/Breadcrumb.tsx';
import { webhookQuery, webhooksKey } from './webhookRequests.ts';
import { eventTypes, type Webhook } from './webhookTypes.ts';

const route = getRouteApi('/inside/admins/console/webhooks/$webhookId');

export function WebhookPage() {
  const { t } = useTranslation();
  const { webhookId } = route.useParams();
  const queryClient = useQueryClient();
  const webhook = useQuery(webhookQuery(webhookId));
  const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksKey });

  if (webhook.error && !webhook.data)
    return <ErrorState isPage error={webhook.error} onRetry={() => void webhook.refetch()} />;
  if (!webhook.data) return <Loading />;
  const { data } = webhook;
  return (
    <>
      <div className="page-header">
        <div>
          <Breadcrumb to="/console/webhooks">{t('Webhooks')}</Breadcrumb>
          <h1 className="webhook-address">
            <bdi dir="ltr">{data.url}</bdi>
          </h1>
        </div>
      </div>
      <WebhookDetails webhook={data} />
      <WebhookActions webhook={data} onChanged={refresh} />
      <Deliveries webhook={data} />
    </>
  );
}

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const { t, formatTime } = useTranslation();
  const heard: readonly string[] = webhook.event_types;
  const names = eventTypes.filter(([type]) => heard.includes(type)).map(([, english]) => t(english));
  const details: [string, React.ReactNode][] = [
    [t('Status'), <WebhookStatus key="status" webhook={webhook} />],
    [t('Events'), heard.includes('*') ? t('Everything') : names.join(' · ')],
    [t('Created'), formatTime(webhook.created_at)],
  ];
  if (webhook.description !== null)
    details.unshift([
      t('Description'),
      <span key="description" className="written">
        {webhook.description}
      </span>,
    ]);
  if (webhook.failing_since !== null) details.push([t('Failing since'), formatTime(webhook.failing_since)]);
  if (webhook.previous_secret_until !== null)
    details.push([t('The old secret is valid until'), formatTime(webhook.previous_secret_until)]);
  return (
    <dl className="details">
      {details.map(([name, value]) => (
        <div key={name} className="detail">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
