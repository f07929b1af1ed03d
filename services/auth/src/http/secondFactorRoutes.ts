import { authenticate, principalOf, sessionPrincipalOf } from '@gradeway/shared/auth/authenticate';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import { confirmTotp } from '../domain/confirmTotp.ts';
import { deleteTotp } from '../domain/deleteTotp.ts';
import { reauthenticate } from '../domain/reauthenticate.ts';
import { requestTotp } from '../domain/requestTotp.ts';
import { requireReauthentication } from '../domain/requireReauthentication.ts';
import type { Dependencies } from './dependencies.ts';
import { reauthenticationFields, totpCodeFields } from './schemas.ts';

/** Routes for every logged-in user: re-authentication and the user's second factor. */
export function secondFactorRoutes(dependencies: Dependencies): Router {
  const router = Router();
  const authenticated = authenticate(dependencies.verifyToken);

  router.post('/api/v3/reauthenticate', authenticated, jsonBody, async (req, res) => {
    const { password } = parseInput(reauthenticationFields, req.body);
    await reauthenticate(dependencies, sessionPrincipalOf(res), password);
    res.json({ status: true, message: 'Reauthenticated Successfully' });
  });

  router.post('/api/v3/mfa/totp', authenticated, async (_req, res) => {
    await requireReauthentication(dependencies, principalOf(res));
    const { secret, url } = await requestTotp(dependencies, principalOf(res));
    res.status(201).json({ data: { secret, otpauth_url: url } });
  });

  router.post('/api/v3/mfa/totp/confirm', authenticated, jsonBody, async (req, res) => {
    const { code } = parseInput(totpCodeFields, req.body);
    await requireReauthentication(dependencies, principalOf(res));
    res.json({ data: { recovery_codes: await confirmTotp(dependencies, principalOf(res), code) } });
  });

  router.delete('/api/v3/mfa/totp', authenticated, jsonBody, async (req, res) => {
    const { code } = parseInput(totpCodeFields, req.body);
    await requireReauthentication(dependencies, principalOf(res));
    await deleteTotp(dependencies, principalOf(res), code);
    res.status(204).end();
  });

  return router;
}
