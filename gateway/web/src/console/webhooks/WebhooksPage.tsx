import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { SecretDialog } from '../../shared/ui/SecretDialog.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookStatus } from './WebhookStatus.tsx';
import './webhooks.css';
import { PageHeader } from '../../shared/layout/PageHeader.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { createWebhook, webhooksKey, webhooksQuery } from './webhookRequests.ts';
import type { WebhookFields } from './webhookTypes.ts';

const route = getRouteApi('/inside/admins/console/webhooks');

export function WebhooksPage() {
  const { t } = useTranslation();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const webhooks = useQuery(webhooksQuery(page));
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<{ id: number; secret: string }>();
  const create = async (fields: WebhookFields) => {
    setCreated(await createWebhook(fields));
    await queryClient.invalidateQueries({ queryKey: webhooksKey });
  };

  return (
    <>
      <PageHeader title={t('Webhooks')}>
        <Button className="button primary" onPress={() => setCreating(true)}>
          {t('New webhook')}
        </Button>
      </PageHeader>
      <PagedTable
        list={webhooks}
        empty={
          <EmptyState title={t('No webhooks yet')}>
            <p>{t('A webhook notifies another program of events at this school, such as a new grade.')}</p>
          </EmptyState>
        }
        label={t('Webhooks')}
        columns={[
          {
            name: t('Address'),
            cell: ({ id, url, description }) => (
              <span className="stacked">
                <Link to="/console/webhooks/$webhookId" params={{ webhookId: id }}>
                  <bdi dir="ltr">{url}</bdi>
                </Link>
                {description !== null && <span className="quiet small written">{description}</span>}
              </span>
            ),
          },
          {
            name: t('Events'),
            cell: ({ event_types }) =>
              event_types.some((type) => type === '*')
                ? t('Everything')
                : t('{count, plural, one {# kind of event} other {# kinds of events}}', {
                    count: event_types.length,
                  }),
          },
          { name: t('Status'), cell: (webhook) => <WebhookStatus webhook={webhook} /> },
          { name: t('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
      {isCreating && <WebhookDialog onSave={create} onClose={() => setCreating(false)} />}
      {created && !isCreating && (
        <SecretDialog
          title={t('The secret of the webhook')}
          about={t(
            'The receiver uses it to verify that messages come from this school. It is shown only once.',
          )}
          secret={created.secret}
          onClose={() =>
            void navigate({ to: '/console/webhooks/$webhookId', params: { webhookId: created.id } })
          }
        />
      )}
    </>
  );
}
