import { randomUUID } from 'node:crypto';
import type { EventData, EventType } from './catalog.ts';

/** A CloudEvents 1.0 event in the JSON format. */
export interface CloudEvent<Type extends EventType = EventType> {
  specversion: '1.0';
  id: string;
  source: string;
  type: Type;
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  data: EventData[Type];
}

/** An event on its way: what travels beside it in the message headers. */
export interface Envelope {
  event: CloudEvent;
  /** W3C trace context of the request that caused it. */
  traceparent: string | null;
}

/**
 * Makes an event of now.
 * @param subject names the record: `submissions/12`
 */
export function createEvent<Type extends EventType>(
  service: string,
  type: Type,
  subject: string,
  data: EventData[Type],
): CloudEvent<Type> {
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: `/services/${service}`,
    type,
    subject,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data,
  };
}

/**
 * Reads a message body.
 * @throws Error when it is not a CloudEvents 1.0 event
 */
export function readEvent(body: unknown): CloudEvent {
  const event = (typeof body === 'string' ? JSON.parse(body) : body) as Partial<CloudEvent> | null;
  const complete = event?.specversion === '1.0' && event.id && event.type && event.source && event.data;
  if (!complete) throw new Error('not a CloudEvents 1.0 event');
  return event as CloudEvent;
}
