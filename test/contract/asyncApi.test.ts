import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';
import { webhookEventTypes } from '@gradeway/shared/events/catalog';
import { createEvent } from '@gradeway/shared/events/cloudEvent';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { type Node, openApi } from '../support/openApi.ts';

const text = readFileSync(new URL('../../gateway/dist/asyncapi.json', import.meta.url), 'utf8');
const asyncApi: Node = JSON.parse(text);

const ajv = new Ajv2020({ strictTypes: false, allowUnionTypes: true });
addFormats.default(ajv);
ajv.addVocabulary(Object.keys(asyncApi));
ajv.addSchema(asyncApi, 'asyncapi');
const payloadOf = (message: string) => {
  const validate = ajv.getSchema(`asyncapi#/components/messages/${message}/payload`);
  if (!validate) throw new Error(`there is no message ${message}`);
  return validate;
};

test('the document is AsyncAPI 3', async () => {
  const { document, diagnostics } = await new Parser().parse(text);
  expect(diagnostics.filter(({ severity }) => severity === 0)).toEqual([]);
  expect(document?.version()).toBe('3.0.0');
  expect(document?.operations().map((operation) => operation.id())).toEqual([
    'deliverWebhook',
    'publishEvent',
  ]);
});

test('the document has exactly the events that webhooks deliver, with the headers of webhooks', () => {
  for (const { messages } of Object.values<Node>(asyncApi.channels))
    expect(Object.keys(messages).toSorted()).toEqual(webhookEventTypes.toSorted());
  expect(asyncApi.components.schemas.WebhookHeaders.required).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
});

test('an event is valid as a CloudEvent and as a webhook, even with fields of later versions', () => {
  const data = { course_id: 2, user_id: 7, paid: true, revision: 1, later: 'field' };
  const event = createEvent('courses', 'enrollment.changed.v1', 'enrollments/2/7', data);
  expect(payloadOf('event.enrollment.changed.v1')(event)).toBe(true);
  const webhook = { type: event.type, timestamp: event.time, data };
  expect(payloadOf('webhook.enrollment.changed.v1')(webhook)).toBe(true);
  expect(payloadOf('webhook.enrollment.changed.v1')({ ...webhook, data: { ...data, paid: 'yes' } })).toBe(
    false,
  );
  expect(payloadOf('event.enrollment.changed.v1')({ ...event, specversion: '0.3' })).toBe(false);
});

test('webhooks have the same data in the OpenAPI document', () => {
  for (const type of webhookEventTypes) {
    const { schema } = openApi.webhooks[type].post.requestBody.content['application/json'];
    expect(schema.properties.data).toEqual(asyncApi.components.schemas[type]);
  }
});
