import {
  authenticate,
  bearerToken,
  principalOf,
  sessionPrincipalOf,
} from '@gradeway/shared/auth/authenticate';
import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound, unauthenticated } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import { changePassword } from '../domain/changePassword.ts';
import { deleteOwnDevice } from '../domain/deleteDevice.ts';
import { endSessions } from '../domain/endSessions.ts';
import { refreshSession } from '../domain/refreshSession.ts';
import type { Dependencies } from './dependencies.ts';
import { passwordFields } from './schemas.ts';
import { deviceView, serviceUserView, sessionView, tokenView, userView } from './serializers.ts';

/** Routes for every logged-in user: sessions, password, own account and own devices. */
export function accountRoutes(dependencies: Dependencies): Router {
  const {
    users,
    serviceAccounts,
    devices,
    sessions,
    totpFactors,
    sequelize,
    refreshWindowMs,
    clock,
    publicUrl,
    providers,
    ssoSessions,
  } = dependencies;
  const router = Router();
  const authenticated = authenticate(dependencies.verifyToken);

  // Does not use `authenticated`, because the token may have expired (D12).
  router.post('/api/v3/token/refresh', async (req, res) => {
    const presented = bearerToken(req);
    if (!presented) throw unauthenticated('no bearer token');
    res.json(tokenView(await refreshSession(dependencies, presented)));
  });

  router.post('/api/v3/logout', authenticated, async (_req, res) => {
    const { userId, sessionId } = sessionPrincipalOf(res);
    const opener = providers.size > 0 ? await ssoSessions.findProvider(sessionId) : undefined;
    await inTransaction(sequelize, (transaction) =>
      endSessions(dependencies, { userId, only: sessionId }, transaction),
    );
    if (opener && providers.get(opener)?.settings.endsSession)
      res.set('Logout-Location', `/session/sso/${opener}/logout`);
    res.status(204).end();
  });

  router.put('/api/v3/password', authenticated, jsonBody, async (req, res) => {
    await changePassword(dependencies, sessionPrincipalOf(res), parseInput(passwordFields, req.body));
    res.json({ status: true, message: 'Password Changed Successfully' });
  });

  router.get('/api/v3/me', authenticated, async (_req, res) => {
    const { userId, kind } = principalOf(res);
    if (kind === 'service') {
      const [account] = await serviceAccounts.findMany([userId]);
      if (!account) throw unauthenticated('the service account is deleted');
      res.json({ data: { ...serviceUserView(account, clock), has_second_factor: false } });
      return;
    }
    const [user, factor] = await Promise.all([users.find(userId), totpFactors.find(userId)]);
    if (!user) throw unauthenticated('the account is deleted');
    res.json({ data: { ...userView(user, clock), has_second_factor: factor?.isConfirmed ?? false } });
  });

  router.get('/api/v3/me/sessions', authenticated, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const { userId, sessionId } = sessionPrincipalOf(res);
    const { rows, total } = await sessions.page(userId, refreshWindowMs, page);
    const items = rows.map((session) => sessionView(session, sessionId, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.delete('/api/v3/me/sessions/:id', authenticated, async (req, res) => {
    const selector = { userId: principalOf(res).userId, only: readId(req.params.id) };
    const ended = await inTransaction(sequelize, (transaction) =>
      endSessions(dependencies, selector, transaction),
    );
    if (ended === 0) throw notFound();
    res.status(204).end();
  });

  router.get('/api/v3/devices', authenticated, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const listed = await devices.pageByUser(principalOf(res).userId, page);
    const items = listed.devices.map((device) => deviceView(device, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.delete('/api/v3/devices/:id', authenticated, async (req, res) => {
    await deleteOwnDevice(dependencies, readId(req.params.id), principalOf(res).userId);
    res.status(204).end();
  });

  return router;
}
