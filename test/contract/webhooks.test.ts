import { webhookEventTypes } from '@gradeway/shared/events/catalog';
import { expect, test } from 'vitest';
import { openApi } from '../support/openApi.ts';

test('the OpenAPI document describes exactly the event types that webhooks can deliver', () => {
  expect(openApi.components.schemas.WebhookEventType.enum).toEqual([...webhookEventTypes]);
  expect(Object.keys(openApi.webhooks)).toEqual([...webhookEventTypes, 'webhook.test.v1']);
  expect(webhookEventTypes).not.toContain('session.revoked.v1');
});
