import { unauthenticated } from '@gradeway/shared/appError';
import { authenticate, bearerToken, principalOf } from '@gradeway/shared/authenticate';
import { inTransaction } from '@gradeway/shared/database';
import { jsonBody } from '@gradeway/shared/jsonBody';
import { linkedList, readPage } from '@gradeway/shared/pagination';
import { readId } from '@gradeway/shared/pathId';
import { parseInput } from '@gradeway/shared/validation';
import { Router } from 'express';
import { deleteOwnDevice } from '../domain/changeDevice.ts';
import { changePassword } from '../domain/changePassword.ts';
import { endSessions } from '../domain/endSessions.ts';
import { refreshSession } from '../domain/refreshSession.ts';
import { passwordFields } from './fields.ts';
import type { Parts } from './parts.ts';
import { deviceView, tokenView, userView } from './view.ts';

const devicesPage = { size: 15, largest: 100 };

/** What everybody with an account may do: session, password, own account, own devices. */
export function accountRoutes(parts: Parts): Router {
  const { users, devices, clock, publicUrl } = parts;
  const router = Router();
  const anybody = authenticate(parts.verify);

  // Not behind `anybody`: the token may have expired (D12).
  router.post('/api/v3/token/refresh', async (req, res) => {
    const presented = bearerToken(req);
    if (!presented) throw unauthenticated('no bearer token');
    res.json(tokenView(await refreshSession(parts, presented)));
  });

  router.post('/api/v3/logout', anybody, async (_req, res) => {
    const { userId, sessionId } = principalOf(res);
    await inTransaction(parts.sequelize, (transaction) =>
      endSessions(parts, { userId, only: sessionId }, transaction),
    );
    res.status(204).end();
  });

  router.put('/api/v3/password', anybody, jsonBody, async (req, res) => {
    await changePassword(parts, principalOf(res), parseInput(passwordFields, req.body));
    res.json({ status: true, message: 'Password Changed Successfully' });
  });

  router.get('/api/v3/me', anybody, async (_req, res) => {
    const user = await users.find(principalOf(res).userId);
    if (!user) throw unauthenticated('the account is gone');
    res.json({ data: userView(user, clock) });
  });

  router.get('/api/v3/devices', anybody, async (req, res) => {
    const page = readPage(req.query, devicesPage);
    const listed = await devices.pageOfUser(principalOf(res).userId, page);
    const items = listed.devices.map((device) => deviceView(device, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.delete('/api/v3/devices/:id', anybody, async (req, res) => {
    await deleteOwnDevice(parts, readId(req.params.id), principalOf(res).userId);
    res.status(204).end();
  });

  return router;
}
