import { requireRole } from '@gradeway/shared/auth/authenticate';
import { notFound } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import type { RouteDependencies } from '../../http/dependencies.ts';
import type { WebhookDependencies } from '../dependencies.ts';
import { replayDelivery, replayFailedDeliveries } from '../domain/replayDeliveries.ts';
import { sendTestMessage } from '../domain/sendTestMessage.ts';
import { deliveryFilter, replayFields } from './schemas.ts';
import { deliveryView } from './serializers.ts';

/** Routes for the deliveries of webhooks, for administrators. */
export function deliveryRoutes(
  { verify, clock, publicUrl }: RouteDependencies,
  dependencies: WebhookDependencies,
): Router {
  const { subscriptions, deliveries } = dependencies;
  const router = Router();
  const admin = requireRole(verify, ['admin']);

  router.get('/api/v3/admin/webhooks/:id/deliveries', admin, async (req, res) => {
    const id = readId(req.params.id);
    const page = readPage(req.query, standardPage);
    const { status } = parseInput(deliveryFilter, req.query);
    if (!(await subscriptions.find(id))) throw notFound();
    const listed = await deliveries.page(id, status, page);
    const items = listed.deliveries.map((each) => deliveryView(each, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.post('/api/v3/admin/webhooks/:id/test', admin, async (req, res) => {
    const delivery = await sendTestMessage(dependencies, readId(req.params.id));
    res.status(201).json({ data: deliveryView(delivery, clock) });
  });

  router.post('/api/v3/admin/webhooks/:id/replay', admin, jsonBody, async (req, res) => {
    const id = readId(req.params.id);
    const { since } = parseInput(replayFields(clock), req.body);
    const replayed = await replayFailedDeliveries(dependencies, id, since);
    res.json({ data: { replayed } });
  });

  router.post('/api/v3/admin/webhooks/:id/deliveries/:delivery_id/replay', admin, async (req, res) => {
    const id = readId(req.params.id);
    await replayDelivery(dependencies, id, readId(req.params.delivery_id, Number.MAX_SAFE_INTEGER));
    res.json({ status: true, message: 'The delivery will be sent again.' });
  });

  return router;
}
