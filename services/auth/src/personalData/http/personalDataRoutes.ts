import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import { readId } from '@gradeway/shared/http/pathId';
import type { Clock } from '@gradeway/shared/http/timestamps';
import { Router } from 'express';
import { requireReauthentication } from '../../domain/requireReauthentication.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import type { PersonalDataDependencies } from '../dependencies.ts';
import type { Erasure } from '../domain/erasure.ts';
import { requestErasure } from '../domain/requestErasure.ts';
import { sendPersonArchive } from './sendPersonArchive.ts';

/** Routes for administrators: export and erasure of a person's data. */
export function personalDataRoutes(dependencies: Dependencies, feature: PersonalDataDependencies): Router {
  const { users, clock } = dependencies;
  const router = Router();
  const admin = requireRole(dependencies.verifyToken, ['admin']);

  router.get('/api/v3/admin/users/:id/personal-data', admin, async (req, res) => {
    const user = await users.find(readId(req.params.id));
    if (!user) throw notFound();
    await requireReauthentication(dependencies, principalOf(res));
    await inTransaction(dependencies.sequelize, (transaction) =>
      dependencies.audit.record(
        { action: 'person.exported', object: { type: 'user', id: user.id } },
        transaction,
      ),
    );
    await sendPersonArchive(req, res, { ...dependencies, ...feature }, user.id);
  });

  router.post('/api/v3/admin/users/:id/erasure', admin, async (req, res) => {
    const principal = principalOf(res);
    const id = readId(req.params.id);
    await requireReauthentication(dependencies, principal);
    const erasure = await requestErasure({ ...dependencies, ...feature }, id, principal);
    res.status(202).json({ data: erasureView(erasure, clock) });
  });

  router.get('/api/v3/admin/users/:id/erasure', admin, async (req, res) => {
    const erasure = await feature.erasures.find(readId(req.params.id));
    if (!erasure) throw notFound();
    res.json({ data: erasureView(erasure, clock) });
  });

  return router;
}

const erasureView = ({ status, requestedAt, completedAt }: Erasure, clock: Clock) => ({
  status,
  requested_at: clock.format(requestedAt),
  completed_at: completedAt === null ? null : clock.format(completedAt),
});
