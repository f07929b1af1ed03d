interface Event {
  id: string;
  type: string;
  /** When the event occurred, RFC 3339. */
  time: string;
  data: object;
}

/** An event as delivered by webhooks. `body` is sent and signed byte for byte. */
export interface Message {
  eventId: string;
  eventType: string;
  body: string;
}

/** Builds the payload that Standard Webhooks 1.0 recommends. */
export const createMessage = ({ id, type, time, data }: Event): Message => ({
  eventId: id,
  eventType: type,
  body: JSON.stringify({ type, timestamp: time, data }),
});
