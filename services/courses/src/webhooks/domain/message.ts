interface Told {
  id: string;
  type: string;
  /** When it happened, RFC 3339. */
  time: string;
  data: object;
}

/** An event as webhooks tell it: `body` is what is sent and signed, to the byte. */
export interface Message {
  eventId: string;
  eventType: string;
  body: string;
}

/** The payload that Standard Webhooks 1.0 recommends. */
export const messageOf = ({ id, type, time, data }: Told): Message => ({
  eventId: id,
  eventType: type,
  body: JSON.stringify({ type, timestamp: time, data }),
});
