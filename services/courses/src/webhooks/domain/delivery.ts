export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt failed, in words of ours alone: what a receiver says is shown to nobody. */
export type DeliveryError =
  /** Another answer than 2xx; its status says which. */
  | 'http_status'
  | 'timeout'
  | 'refused'
  | 'connection_lost'
  | 'unreachable'
  | 'unknown_host'
  | 'tls'
  /** The name leads to an address that webhooks do not go to, or the URL is one that is not allowed any more. */
  | 'address_not_allowed'
  /** The subscription's secret does not open: WEBHOOK_ENCRYPTION_SECRET has changed. */
  | 'secret_unreadable';

/** One event on its way to one subscription. */
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
