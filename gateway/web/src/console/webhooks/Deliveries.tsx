import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { Choice } from '../../shared/form/Field.tsx';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Section } from '../../shared/layout/Section.tsx';
import type { ListPage } from '../../shared/list/PagedList.tsx';
import { PagedTable } from '../../shared/list/PagedTable.tsx';
import { RowButton } from '../../shared/list/RowButton.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { type DeliveryStatus, deliveryStatuses } from '../searchParams.ts';
import { deliveryErrors, statusNames } from './deliveryTexts.ts';
import { ReplayFailedDialog } from './ReplayFailedDialog.tsx';
import { deliveriesQuery, replayDelivery, webhookKey } from './webhookRequests.ts';
import { type Delivery, eventTypes, type Webhook } from './webhookTypes.ts';

const route = getRouteApi('/inside/admins/console/webhooks/$webhookId');

/** Lists the messages sent to a receiver, with their status. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const { status, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const { id, is_active } = webhook;
  const deliveries = useQuery(deliveriesQuery(id, status, page));
  const { isBusy, error, submit } = useFormRequest();
  const [isReplaying, setReplaying] = useState(false);
  const [statusText, setStatusText] = useState('');
  const refresh = () => queryClient.invalidateQueries({ queryKey: webhookKey(id) });
  const replay = async (delivery: Delivery) => {
    setStatusText('');
    if (await submit(() => replayDelivery(id, delivery.id).then(refresh)))
      setStatusText(t('The delivery will be sent again.'));
  };

  return (
    <Section
      id="deliveries"
      title={t('Deliveries')}
      action={
        is_active && (
          <Button className="button" onPress={() => setReplaying(true)}>
            {t('Replay failed deliveries')}
          </Button>
        )
      }
    >
      <div className="list-filters">
        <Choice
          label={t('Status')}
          value={status ?? ''}
          options={[['', t('All')], ...deliveryStatuses.map((each) => [each, t(statusNames[each])] as const)]}
          onChange={(value) =>
            void navigate({
              search: value === '' ? {} : { status: value as DeliveryStatus },
              replace: true,
              resetScroll: false,
            })
          }
        />
        <p role="status" className="quiet small">
          {statusText}
        </p>
      </div>
      <ErrorNotice text={error} />
      <DeliveryTable
        deliveries={deliveries}
        empty={<EmptyState title={status ? t('No deliveries have this status') : t('Nothing sent yet')} />}
        isDisabled={!is_active || isBusy}
        onReplay={(delivery) => void replay(delivery)}
      />
      {isReplaying && (
        <ReplayFailedDialog
          webhookId={id}
          onReplayed={(count) => {
            setStatusText(
              t(
                '{count, plural, =0 {Nothing has failed since then.} one {# delivery will be sent again.} other {# deliveries will be sent again.}}',
                {
                  count,
                },
              ),
            );
            void refresh();
          }}
          onClose={() => setReplaying(false)}
        />
      )}
    </Section>
  );
}

interface TableProps {
  deliveries: UseQueryResult<ListPage<Delivery>>;
  /** Shown when there are none. */
  empty: ReactNode;
  isDisabled: boolean;
  onReplay(delivery: Delivery): void;
}

function DeliveryTable({ deliveries, empty, isDisabled, onReplay }: TableProps) {
  const { t, formatNumber } = useTranslation();
  const nameOf = (type: Delivery['event_type']) =>
    t(eventTypes.find(([each]) => each === type)?.[1] ?? 'Test message');
  return (
    <PagedTable
      list={deliveries}
      empty={empty}
      label={t('Deliveries')}
      columns={[
        { name: t('Event'), cell: ({ event_type }) => nameOf(event_type) },
        { name: t('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
        { name: t('Status'), cell: (delivery) => <Outcome delivery={delivery} /> },
        { name: t('Attempts'), isNumber: true, cell: ({ attempts }) => formatNumber(attempts) },
      ]}
      actions={(delivery) => (
        <RowButton
          text={t('Replay')}
          label={t('Replay delivery {id}', { id: String(delivery.id) })}
          isDisabled={isDisabled}
          onPress={() => onReplay(delivery)}
        />
      )}
    />
  );
}

function Outcome({ delivery }: { delivery: Delivery }) {
  const { t, formatTime } = useTranslation();
  const { status, last_status, last_error, next_attempt_at } = delivery;
  const kinds = { pending: 'badge warning', delivered: 'badge', failed: 'badge bad' };
  return (
    <span className="stacked">
      <span>
        <span className={kinds[status]}>{t(statusNames[status])}</span>
      </span>
      {last_error !== null && status !== 'delivered' && (
        <span className="quiet small">
          {last_error === 'http_status'
            ? t('The receiver responded with {status}', { status: String(last_status) })
            : t(deliveryErrors[last_error])}
        </span>
      )}
      {status === 'pending' && next_attempt_at !== null && last_error !== null && (
        <span className="quiet small">
          {t('Next attempt: {time}', { time: formatTime(next_attempt_at) })}
        </span>
      )}
    </span>
  );
}
