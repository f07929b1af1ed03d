import { keysWith, type ServiceSecret } from '@gradeway/shared/grpc/serviceKeys';
import { arrivedAt, receiptTimeHeader, signReceiptTime } from '@gradeway/shared/http/receiptTime';
import { requestIdOf } from '@gradeway/shared/http/requestId';
import type { Response } from 'express';
import type { Route } from '../routing/routeTable.ts';

type ReceiptTimes = (route: Pick<Route, 'files' | 'upstream'>, res: Response) => Record<string, string>;

const noHeader = {};

/**
 * Returns the header that states when an upload was received, for its service. At a deadline an upload may wait here for a
 * connection, and must not become late by waiting: the deadline applies to the arrival of its headers (D25).
 */
export function createReceiptTimes(secret: ServiceSecret): ReceiptTimes {
  return ({ files, upstream }, res) => {
    const [key] = files === undefined ? [] : keysWith(upstream, secret);
    if (!key) return noHeader;
    return { [receiptTimeHeader]: signReceiptTime(arrivedAt(res), requestIdOf(res) ?? '', key) };
  };
}
