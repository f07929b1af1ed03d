import { type Attributes, SpanKind, trace } from '@opentelemetry/api';
import { continueFrom, failSpan, inChildSpan, inSpan, traceparent } from './span.ts';

/*
 * An event's way in its trace: `create` beside the change that it tells of, `send` when the relay publishes it,
 * perhaps much later and in another replica, `process` in each consumer. Each continues the one before.
 * https://opentelemetry.io/docs/specs/semconv/messaging/
 */

interface Message {
  event: { id: string; type: string };
  /** Where the trace goes on. */
  traceparent: string | null;
}

/** How a broker's own terms name where a message goes. */
interface Destination {
  /** `rabbitmq`, `pgboss`. */
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

/** Makes a message within a traced change; `store` is given the place from which sending it continues. */
export function traceCreate<T>(
  event: Message['event'],
  store: (traceparent: string | null) => Promise<T>,
): Promise<T> {
  const options = { kind: SpanKind.PRODUCER, attributes: attributesOf('create', { event }) };
  return inChildSpan(`create ${event.type}`, options, (span) => store(span ? traceparent() : null));
}

/** Sends a message; `send` is given the `traceparent` that travels with it. */
export function traceSend(
  destination: Destination,
  message: Message,
  send: (traceparent: string | null) => Promise<void>,
): Promise<void> {
  const parent = continueFrom(message.traceparent);
  // What was made outside any trace begins none here; and while tracing is off, the message keeps what it has.
  if (!trace.getSpanContext(parent)) return send(message.traceparent);
  const attributes = { ...attributesOf('send', message), ...destinationOf(destination) };
  const options = { kind: SpanKind.PRODUCER, attributes, parent };
  return inSpan(`send ${destination.name}`, options, () => send(traceparent()));
}

/** Processes a message that was delivered. Every outcome but `done` is a failure, also one that is tried again. */
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
