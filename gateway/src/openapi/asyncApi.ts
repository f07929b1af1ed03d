import { dataSchemaOf, publicEvents } from '@gradeway/shared/events/publicEvents';
import { exchange } from '@gradeway/shared/events/rabbitTopology';
import type { Document } from './document.ts';

type EventType = keyof typeof publicEvents;

const types = Object.keys(publicEvents) as EventType[];
const time = { type: 'string', format: 'date-time', description: 'Time of the event.' };
const schemaRef = (type: EventType) => ({ $ref: `#/components/schemas/${type}` });

/** The body of a webhook (Standard Webhooks 1.0). */
const webhookPayload = (type: EventType, data: object) => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: { type: { const: type }, timestamp: time, data },
});

/** The webhooks of the OpenAPI document. Parameters and responses are the same for all. */
export function describeWebhooks({ parameters, responses }: Document): Document {
  const describe = (type: EventType) => ({
    tags: ['Webhooks'],
    summary: publicEvents[type].summary,
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: webhookPayload(type, dataSchemaOf(type)) } },
    },
    responses,
  });
  return Object.fromEntries(types.map((type) => [type, { post: describe(type) }]));
}

const cloudEvent = {
  type: 'object',
  description: 'A CloudEvents 1.0 event in the JSON format.',
  required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype', 'data'],
  properties: {
    specversion: { const: '1.0' },
    id: { type: 'string', format: 'uuid', description: 'The same each time the event is delivered.' },
    source: { type: 'string', description: 'The service that published it, such as `/services/quiz`.' },
    type: { type: 'string' },
    subject: { type: 'string', description: 'The record, such as `submissions/12`.' },
    time,
    datacontenttype: { const: 'application/json' },
    data: { type: 'object' },
  },
};

const traceHeaders = {
  type: 'object',
  properties: {
    traceparent: { type: 'string', description: 'W3C trace context of the request that caused the event.' },
  },
};

/**
 * Creates the AsyncAPI document of the events that webhooks deliver, from the schemas that their publishers use. The
 * headers of webhooks come from the OpenAPI document.
 */
export function createAsyncApi(openApi: Document): Document {
  const messages: Document = {};
  for (const type of types) {
    const message = { name: type, title: publicEvents[type].summary, contentType: 'application/json' };
    messages[`webhook.${type}`] = {
      ...message,
      headers: { $ref: '#/components/schemas/WebhookHeaders' },
      payload: webhookPayload(type, schemaRef(type)),
    };
    messages[`event.${type}`] = {
      ...message,
      headers: { $ref: '#/components/schemas/EventHeaders' },
      payload: {
        allOf: [
          { $ref: '#/components/schemas/CloudEvent' },
          { type: 'object', properties: { type: { const: type }, data: schemaRef(type) } },
        ],
      },
    };
  }
  const messagesOf = (kind: 'webhook' | 'event') =>
    Object.fromEntries(types.map((type) => [type, { $ref: `#/components/messages/${kind}.${type}` }]));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Gradeway events',
      version: openApi.info.version,
      license: { name: 'MIT' },
      description:
        'Delivery is at least once and unordered: the id of an event identifies repeated messages, `revision` the newer state. ' +
        'Ignore fields and types that you do not know. Webhooks are managed with `/api/v3/admin/webhooks` (`/api/v3/openapi.json`).',
    },
    defaultContentType: 'application/json',
    channels: {
      webhooks: {
        address: null,
        title: 'Webhooks',
        description: 'The URL of a webhook. Each message is signed according to Standard Webhooks.',
        messages: messagesOf('webhook'),
      },
      broker: {
        address: '{type}',
        title: 'RabbitMQ',
        description:
          "The exchange of an installation with RabbitMQ, for its own consumers. The routing key is the event's type.",
        parameters: { type: { description: 'The type of the event.', enum: types } },
        messages: messagesOf('event'),
        bindings: {
          amqp: { is: 'routingKey', exchange: { name: exchange, type: 'topic', durable: true } },
        },
      },
    },
    operations: {
      deliverWebhook: {
        action: 'send',
        channel: { $ref: '#/channels/webhooks' },
        summary: 'Deliver an event to a webhook',
        bindings: { http: { method: 'POST' } },
      },
      publishEvent: {
        action: 'send',
        channel: { $ref: '#/channels/broker' },
        summary: 'Publish an event to the broker',
      },
    },
    components: {
      messages,
      schemas: {
        CloudEvent: cloudEvent,
        EventHeaders: traceHeaders,
        WebhookHeaders: webhookHeaders(openApi),
        ...Object.fromEntries(types.map((type) => [type, dataSchemaOf(type)])),
      },
    },
  };
}

function webhookHeaders({ webhooks, components }: Document): Document {
  const headers: Document[] = webhooks['webhook.test.v1'].post.parameters.map(
    ({ $ref }: Document) => components.parameters[$ref.replace('#/components/parameters/', '')],
  );
  return {
    type: 'object',
    required: headers.map(({ name }) => name),
    properties: Object.fromEntries(
      headers.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
  };
}
