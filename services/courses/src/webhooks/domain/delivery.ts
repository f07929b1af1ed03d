export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt failed. Deliberately generic: the content of the receiver's response is not exposed. */
export type DeliveryError =
  /** A status other than 2xx. */
  | 'http_status'
  | 'timeout'
  | 'refused'
  | 'connection_lost'
  | 'unreachable'
  | 'unknown_host'
  | 'tls'
  /** The URL is not allowed, or its host resolves to an address that is not. */
  | 'address_not_allowed'
  /** The subscription's secret cannot be decrypted: WEBHOOK_ENCRYPTION_SECRET has changed. */
  | 'secret_unreadable';

/** The delivery of one event to one subscription. */
export interface Delivery {
  id: number;
  eventId: string;
  eventType: string;
  status: DeliveryStatus;
  attempts: number;
  lastStatus: number | null;
  lastError: DeliveryError | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
  deliveredAt: Date | null;
}
