import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { notFound } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import type { RouteDependencies } from '../../http/dependencies.ts';
import type { WebhookDependencies } from '../dependencies.ts';
import { changeSubscription } from '../domain/changeSubscription.ts';
import { createSubscription } from '../domain/createSubscription.ts';
import { deleteSubscription } from '../domain/deleteSubscription.ts';
import { rotateSecret } from '../domain/rotateSecret.ts';
import { formatSecret } from '../domain/signature.ts';
import { rotationFields, subscriptionChanges, subscriptionFields } from './schemas.ts';
import { webhookView } from './serializers.ts';

/** Routes for webhook subscriptions, for administrators. */
export function webhookRoutes(
  { verify, clock, publicUrl, requireReauthentication }: RouteDependencies,
  dependencies: WebhookDependencies,
): Router {
  const { subscriptions } = dependencies;
  const router = Router();
  const admin = requireRole(verify, ['admin']);

  router.get('/api/v3/admin/webhooks', admin, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const listed = await subscriptions.page(page);
    const items = listed.subscriptions.map((each) => webhookView(each, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.post('/api/v3/admin/webhooks', admin, jsonBody, async (req, res) => {
    const { properties, secret: given } = parseInput(subscriptionFields, req.body);
    await requireReauthentication(principalOf(res));
    const { subscription, secret } = await createSubscription(dependencies, properties, given);
    res.status(201).json({ data: { ...webhookView(subscription, clock), secret: formatSecret(secret) } });
  });

  router.get('/api/v3/admin/webhooks/:id', admin, async (req, res) => {
    const subscription = await subscriptions.find(readId(req.params.id));
    if (!subscription) throw notFound();
    res.json({ data: webhookView(subscription, clock) });
  });

  router.patch('/api/v3/admin/webhooks/:id', admin, jsonBody, async (req, res) => {
    const id = readId(req.params.id);
    const changes = parseInput(subscriptionChanges, req.body);
    await requireReauthentication(principalOf(res));
    const subscription = await changeSubscription(dependencies, id, changes);
    res.json({ data: webhookView(subscription, clock) });
  });

  router.delete('/api/v3/admin/webhooks/:id', admin, async (req, res) => {
    await deleteSubscription(dependencies, readId(req.params.id));
    res.status(204).end();
  });

  router.post('/api/v3/admin/webhooks/:id/rotate-secret', admin, jsonBody, async (req, res) => {
    const id = readId(req.params.id);
    const { secret: given } = parseInput(rotationFields, req.body);
    await requireReauthentication(principalOf(res));
    const { subscription, secret } = await rotateSecret(dependencies, id, given);
    res.json({ data: { ...webhookView(subscription, clock), secret: formatSecret(secret) } });
  });

  return router;
}
