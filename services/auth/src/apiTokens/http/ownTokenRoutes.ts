import { authenticate, principalOf } from '@gradeway/shared/auth/authenticate';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { formatUtc } from '@gradeway/shared/http/timestamps';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import type { Dependencies } from '../../http/dependencies.ts';
import { createPersonalToken } from '../domain/createPersonalToken.ts';
import { endToken } from '../domain/endToken.ts';
import { scopesOfRole } from '../domain/scopesOfRole.ts';
import { personalTokenFields } from './schemas.ts';
import { personalTokenView } from './serializers.ts';

/** Routes for every logged-in user: tokens for the user's own programs, and the token in use. */
export function ownTokenRoutes(dependencies: Dependencies): Router {
  const { apiTokens, publicUrl } = dependencies;
  const router = Router();
  const authenticated = authenticate(dependencies.verifyToken);

  router.get('/api/v3/me/tokens', authenticated, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const { rows, total } = await apiTokens.page({ userId: principalOf(res).userId }, page);
    const items = rows.map(personalTokenView);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.post('/api/v3/me/tokens', authenticated, jsonBody, async (req, res) => {
    const wanted = parseInput(personalTokenFields, req.body);
    const { token, text } = await createPersonalToken(dependencies, principalOf(res), wanted);
    res.status(201).json({ data: { ...personalTokenView(token), token: text } });
  });

  router.delete('/api/v3/me/tokens/:id', authenticated, async (req, res) => {
    await endToken(dependencies, { userId: principalOf(res).userId }, readId(req.params.id));
    res.status(204).end();
  });

  router.get('/api/v3/me/token', authenticated, async (_req, res) => {
    const { kind, tokenId, role, scopes, courseIds, expiresAt } = principalOf(res);
    res.json({
      data: {
        kind,
        name: kind === 'session' ? null : ((await apiTokens.nameOf(tokenId)) ?? null),
        scopes: [...(scopes ?? scopesOfRole[role])],
        course_ids: courseIds && [...courseIds],
        expires_at: formatUtc(new Date(expiresAt * 1000)),
      },
    });
  });

  return router;
}
