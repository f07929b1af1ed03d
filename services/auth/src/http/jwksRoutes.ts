import { Router } from 'express';
import type { Dependencies } from './dependencies.ts';

/** The JSON Web Key Set that verifies tokens (RFC 7517). Public, including through the gateway (D37). */
export function jwksRoutes({ keys }: Dependencies): Router {
  const router = Router();

  router.get('/.well-known/jwks.json', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=60').json(keys.jwks());
  });

  return router;
}
