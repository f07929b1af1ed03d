import { authenticate } from '@gradeway/shared/auth/authenticate';
import { invalid } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { parseInput, string } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { receiptView } from './serializers.ts';

const longestReceipt = 8_192;
export const receiptFields = z.object({ receipt: string(longestReceipt) });

/** Receipt verification, for every logged-in user. */
export function receiptRoutes({ verifyToken, receipts, clock }: Dependencies): Router {
  const router = Router();

  router.post('/api/v3/receipts/verify', authenticate(verifyToken), jsonBody, async (req, res) => {
    const { receipt } = parseInput(receiptFields, req.body);
    const verified = await receipts.verify(receipt);
    if (!verified) throw invalid({ receipt: ['The receipt is not valid.'] });
    res.json({ data: receiptView(verified, clock) });
  });

  return router;
}
