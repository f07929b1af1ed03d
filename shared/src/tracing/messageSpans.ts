import { type Attributes, context, SpanKind, trace } from '@opentelemetry/api';
import { activeSpan, continueFrom, errorTypeOf, failSpan, inSpan, traceparent, tracer } from './span.ts';

/*
 * The spans of an event, each a child of the previous one: `create` when it is added to the outbox; `send` when the
 * relay publishes it, possibly much later and in another replica; `process` in each consumer.
 * https://opentelemetry.io/docs/specs/semconv/messaging/
 */

interface Message {
  event: { id: string; type: string };
  /** W3C trace context of the previous span. */
  traceparent: string | null;
}

/** The destination of a message, in the broker's terms. */
interface Destination {
  /** `rabbitmq` or `pgboss`. */
  system: string;
  name: string;
}

const attributesOf = (operation: string, { event }: Pick<Message, 'event'>): Attributes => ({
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
  'messaging.message.id': event.id,
  'cloudevents.event_type': event.type,
});

const destinationOf = ({ system, name }: Destination): Attributes => ({
  'messaging.system.name': system,
  'messaging.destination.name': name,
});

/**
 * Runs `store` in one `create` span per event, if the change is traced, and passes it the `traceparent` to store with
 * each event. Spans that `store` itself creates belong to the first one.
 */
export async function traceCreate<T>(
  events: Message['event'][],
  store: (traceparents: (string | null)[]) => Promise<T>,
): Promise<T> {
  if (!activeSpan()) return store(events.map(() => null));
  const spans = events.map((event) => {
    const options = { kind: SpanKind.PRODUCER, attributes: attributesOf('create', { event }) };
    return tracer.startSpan(`create ${event.type}`, options);
  });
  const contexts = spans.map((span) => trace.setSpan(context.active(), span));
  try {
    return await context.with(contexts[0] ?? context.active(), store, undefined, contexts.map(traceparent));
  } catch (error) {
    for (const span of spans) failSpan(span, errorTypeOf(error));
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

/** Runs `send` in a `send` span and passes it the `traceparent` for the message headers. */
export function traceSend(
  destination: Destination,
  message: Message,
  send: (traceparent: string | null) => Promise<void>,
): Promise<void> {
  const parent = continueFrom(message.traceparent);
  // An untraced event starts no trace here. While tracing is off, the message keeps its `traceparent`.
  if (!trace.getSpanContext(parent)) return send(message.traceparent);
  const attributes = { ...attributesOf('send', message), ...destinationOf(destination) };
  const options = { kind: SpanKind.PRODUCER, attributes, parent };
  return inSpan(`send ${destination.name}`, options, () => send(traceparent()));
}

/** Runs `work` in a `process` span. Every outcome but `done` fails the span, even if the message is retried. */
export function traceProcess<Outcome extends string>(
  destination: Destination,
  message: Message,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const attributes = { ...attributesOf('process', message), ...destinationOf(destination) };
  const options = { kind: SpanKind.CONSUMER, attributes, parent: continueFrom(message.traceparent) };
  return inSpan(`process ${destination.name}`, options, async (span) => {
    const outcome = await work();
    if (outcome !== 'done') failSpan(span, outcome);
    return outcome;
  });
}
