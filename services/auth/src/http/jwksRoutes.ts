import { Router } from 'express';
import type { Dependencies } from './dependencies.ts';

/** What verifiers of tokens fetch (RFC 7517). Public, at the gateway too (D37). */
export function keyRoutes({ keys }: Dependencies): Router {
  const router = Router();

  router.get('/.well-known/jwks.json', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=60').json(keys.jwks());
  });

  return router;
}
