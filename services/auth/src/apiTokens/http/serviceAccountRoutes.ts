import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import type { Dependencies } from '../../http/dependencies.ts';
import { endToken } from '../domain/endToken.ts';
import {
  addToken,
  changeServiceAccount,
  createServiceAccount,
  deleteServiceAccount,
} from '../domain/manageServiceAccount.ts';
import type { ServiceAccount } from '../domain/serviceAccount.ts';
import { serviceAccountChanges, serviceAccountFields, serviceTokenFields } from './schemas.ts';
import { serviceAccountView, tokenView } from './serializers.ts';

const path = '/api/v3/admin/service-accounts';

/** Routes for administrators: service accounts and their tokens. */
export function serviceAccountRoutes(dependencies: Dependencies): Router {
  const { serviceAccounts, apiTokens, publicUrl } = dependencies;
  const router = Router();
  const admin = requireRole(dependencies.verifyToken, ['admin']);

  router.get(path, admin, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const { rows, total } = await serviceAccounts.page(page);
    res.json(linkedList({ url: publicUrl.of(req), page, items: await viewsOf(rows), total }));
  });

  router.post(path, admin, jsonBody, async (req, res) => {
    const wanted = parseInput(serviceAccountFields, req.body);
    const { account, issued } = await createServiceAccount(dependencies, wanted, principalOf(res));
    res.status(201).json({ data: { ...serviceAccountView(account, [issued.token]), token: issued.text } });
  });

  router.patch(`${path}/:id`, admin, jsonBody, async (req, res) => {
    const id = readId(req.params.id);
    const changes = parseInput(serviceAccountChanges, req.body);
    const account = await changeServiceAccount(dependencies, id, changes, principalOf(res));
    const [data] = await viewsOf([account]);
    res.json({ data });
  });

  router.delete(`${path}/:id`, admin, async (req, res) => {
    await deleteServiceAccount(dependencies, readId(req.params.id));
    res.status(204).end();
  });

  router.post(`${path}/:id/tokens`, admin, jsonBody, async (req, res) => {
    const id = readId(req.params.id);
    const wanted = parseInput(serviceTokenFields, req.body);
    const { token, text } = await addToken(dependencies, id, wanted, principalOf(res));
    res.status(201).json({ data: { ...tokenView(token), token: text } });
  });

  router.delete(`${path}/:id/tokens/:token_id`, admin, async (req, res) => {
    const serviceAccountId = readId(req.params.id);
    await endToken(dependencies, { serviceAccountId }, readId(req.params.token_id));
    res.status(204).end();
  });

  async function viewsOf(accounts: ServiceAccount[]) {
    const tokens = await apiTokens.ofServiceAccounts(accounts.map(({ id }) => id));
    return accounts.map((account) =>
      serviceAccountView(
        account,
        tokens.filter(({ serviceAccountId }) => serviceAccountId === account.id),
      ),
    );
  }

  return router;
}
