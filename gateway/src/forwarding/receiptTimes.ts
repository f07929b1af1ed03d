import { keysWith, type ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import { arrivedAt, receiptTimeHeader, signReceiptTime } from '@gradeway/shared/http/receiptTime';
import { requestIdOf } from '@gradeway/shared/http/requestId';
import type { Response } from 'express';
import type { Route } from '../routing/routeTable.ts';

type ReceiptTimes = (route: Pick<Route, 'files' | 'upstream'>, res: Response) => Record<string, string>;

const noHeader = {};

/**
 * Returns a function that creates the header with an upload's time of receipt. A deadline applies to the arrival of the headers
 * (D25), so an upload that waits here for a slot must not become late.
 */
export function createReceiptTimes(secret: ServiceSecret): ReceiptTimes {
  return ({ files, upstream }, res) => {
    const [key] = files === undefined ? [] : keysWith(upstream, secret);
    if (!key) return noHeader;
    return { [receiptTimeHeader]: signReceiptTime(arrivedAt(res), requestIdOf(res) ?? '', key) };
  };
}
