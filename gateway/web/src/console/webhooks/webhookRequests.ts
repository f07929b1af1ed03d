import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import { listQuery } from '../../shared/list/listQuery.ts';
import type { ListPage } from '../../shared/list/PagedList.tsx';
import type { DeliveryStatus } from '../searchParams.ts';
import type { Delivery, Webhook, WebhookFields } from './webhookTypes.ts';

export const webhooksKey = ['console', 'webhooks'] as const;
export const webhookKey = (id: number) => [...webhooksKey, 'one', id] as const;

export const webhooksQuery = (page: number) =>
  listQuery<Webhook>([...webhooksKey, page], (signal) =>
    responseOf(api.GET('/api/v3/admin/webhooks', { params: { query: { page } }, signal })),
  );

const pathOf = (id: number) => ({ params: { path: { id } } });

export const webhookQuery = (id: number) =>
  queryOptions({
    queryKey: webhookKey(id),
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET('/api/v3/admin/webhooks/{id}', { ...pathOf(id), signal }))).body.data,
  });

const pollEvery = 3_000;
const isUnderWay = ({ status }: Delivery) => status === 'pending';

/** A page of deliveries, newest first, polled while any of them is in progress. */
export const deliveriesQuery = (id: number, status: DeliveryStatus | undefined, page: number) =>
  queryOptions({
    queryKey: [...webhookKey(id), 'deliveries', status ?? null, page],
    queryFn: async ({ signal }): Promise<ListPage<Delivery>> => {
      const params = { path: { id }, query: { page, ...(status ? { status } : {}) } };
      return (await responseOf(api.GET('/api/v3/admin/webhooks/{id}/deliveries', { params, signal }))).body;
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? pollEvery : false),
  });

/** Returns the secret, which no other response contains. */
export async function createWebhook(body: WebhookFields): Promise<{ id: number; secret: string }> {
  return (await responseOf(api.POST('/api/v3/admin/webhooks', { body }))).body.data;
}

export async function changeWebhook(id: number, body: Partial<WebhookFields>): Promise<void> {
  await responseOf(api.PATCH('/api/v3/admin/webhooks/{id}', { ...pathOf(id), body }));
}

export async function deleteWebhook(id: number): Promise<void> {
  await responseOf(api.DELETE('/api/v3/admin/webhooks/{id}', pathOf(id)));
}

export async function rotateSecret(id: number): Promise<string> {
  const call = api.POST('/api/v3/admin/webhooks/{id}/rotate-secret', pathOf(id));
  return (await responseOf(call)).body.data.secret;
}

export async function sendTest(id: number): Promise<void> {
  await responseOf(api.POST('/api/v3/admin/webhooks/{id}/test', pathOf(id)));
}

export async function replayDelivery(id: number, deliveryId: number): Promise<void> {
  const params = { path: { id, delivery_id: deliveryId } };
  await responseOf(api.POST('/api/v3/admin/webhooks/{id}/deliveries/{delivery_id}/replay', { params }));
}

/** Resends the deliveries that have failed since a given time. Returns their number. */
export async function replayFailed(id: number, since: string): Promise<number> {
  const call = api.POST('/api/v3/admin/webhooks/{id}/replay', { ...pathOf(id), body: { since } });
  return (await responseOf(call)).body.data.replayed;
}
