import { randomUUID } from 'node:crypto';
import type { EventData, EventType } from './catalog.ts';

/** A CloudEvents 1.0 event in the JSON format. `data` is the payload of `type` (catalog.ts). */
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

/** An event with its message headers. */
export interface Envelope {
  event: CloudEvent;
  /** W3C trace context of the request that caused the event; null if it was not traced. */
  traceparent: string | null;
}

/**
 * Creates an event with a new id and the current time.
 * @param subject the record, for example `submissions/12`
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
 * Parses a message body.
 * @throws Error if it is not a CloudEvents 1.0 event
 */
export function readEvent(body: unknown): CloudEvent {
  const event = (typeof body === 'string' ? JSON.parse(body) : body) as Partial<CloudEvent> | null;
  const complete = event?.specversion === '1.0' && event.id && event.type && event.source && event.data;
  if (!complete) throw new Error('not a CloudEvents 1.0 event');
  return event as CloudEvent;
}
