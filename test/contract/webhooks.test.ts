import { offeredTypes } from '@gradeway/shared/events/catalog';
import { expect, test } from 'vitest';
import { openApi } from '../support/openApi.ts';

test('the OpenAPI document describes every event that webhooks tell of, and no other', () => {
  expect(openApi.components.schemas.WebhookEventType.enum).toEqual([...offeredTypes]);
  expect(Object.keys(openApi.webhooks)).toEqual([...offeredTypes, 'webhook.test.v1']);
  expect(offeredTypes).not.toContain('session.revoked.v1');
});
