import type { DeliveryStatus } from '../searchParams.ts';
import type { Delivery } from './webhookTypes.ts';

/** English names of the delivery statuses. */
export const statusNames: Record<DeliveryStatus, string> = {
  pending: 'In progress',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** Why an attempt failed. For a response from the receiver, its HTTP status is shown instead. */
export const deliveryErrors: Record<Exclude<Delivery['last_error'], null | 'http_status'>, string> = {
  timeout: 'The receiver did not respond in time',
  refused: 'The receiver refused the connection',
  connection_lost: 'The connection was lost',
  unreachable: 'The receiver cannot be reached',
  unknown_host: 'This host does not exist',
  tls: 'The connection is not secure',
  address_not_allowed: 'The address is not public',
  secret_unreadable: 'The secret cannot be read',
};
