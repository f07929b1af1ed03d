import { authenticate, principalOf } from '@gradeway/shared/auth/authenticate';
import { AppError, notFound } from '@gradeway/shared/errors/appError';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { formatUtc } from '@gradeway/shared/http/timestamps';
import express, { Router } from 'express';
import type { Dependencies } from '../../http/dependencies.ts';
import { endProviderSessions } from '../domain/endProviderSessions.ts';
import type { LinkedIdentity } from '../domain/identity.ts';
import { removeIdentity } from '../domain/removeIdentity.ts';

const logoutForm = express.urlencoded({ extended: false, limit: '16kb', parameterLimit: 10 });

/** Routes of single sign-on: the providers, the caller's identities, and logouts that a provider sends. */
export function singleSignOnRoutes(dependencies: Dependencies): Router {
  const { providers, identities, publicUrl } = dependencies;
  const router = Router();
  const authenticated = authenticate(dependencies.verifyToken);

  router.get('/api/v3/login/providers', (req, res) => {
    const { origin } = publicUrl.of(req);
    const listed = [...providers.values()].map(({ settings: { id, name } }) => ({
      ...{ id, name },
      url: `${origin}/session/sso/${id}`,
    }));
    res.json({ data: listed });
  });

  router.post('/api/v3/sso/:provider/backchannel-logout', logoutForm, async (req, res) => {
    const provider = providers.get(req.params.provider ?? '');
    if (!provider) throw notFound();
    const token: unknown = req.body?.logout_token;
    if (typeof token !== 'string') throw new AppError('malformed', 'Bad Request');
    await endProviderSessions(dependencies, provider, token);
    res.set('Cache-Control', 'no-store').status(200).end();
  });

  router.get('/api/v3/me/identities', authenticated, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const { rows, total } = await identities.page(principalOf(res).userId, page);
    res.json(linkedList({ url: publicUrl.of(req), page, items: rows.map(identityView), total }));
  });

  router.delete('/api/v3/me/identities/:id', authenticated, async (req, res) => {
    await removeIdentity(dependencies, principalOf(res), readId(req.params.id));
    res.status(204).end();
  });

  return router;
}

const identityView = ({ id, provider, subject, email, linkedAt }: LinkedIdentity) => ({
  ...{ id, provider, subject, email },
  linked_at: formatUtc(linkedAt),
});
