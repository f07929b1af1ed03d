import { randomUUID } from 'node:crypto';
import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { AppError, invalid, notFound } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { streamText } from '@gradeway/shared/http/streamText';
import { parseInput } from '@gradeway/shared/http/validation';
import { requestContext } from '@gradeway/shared/process/requestContext';
import { type RequestHandler, type Response, Router } from 'express';
import type { RouteDependencies } from '../../dependencies.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { commitImport } from '../domain/commitImport.ts';
import type { Import } from '../domain/import.ts';
import { planArchive } from '../domain/planArchive.ts';
import { isArchiveUpload, saveArchiveUpload } from './archiveUpload.ts';
import { importBody, importId, importQuery } from './schemas.ts';
import { importJson, importView, rowErrors } from './serializers.ts';

// Reading a large archive takes a minute, and hashing its passwords even longer.
const requestTimeoutMs = 10 * 60_000;
const maxErrors = 100;
const rowsPerBatch = 1_000;

/** Routes for OneRoster imports, for administrators. */
export function importRoutes(
  { verify, clock, requireReauthentication }: RouteDependencies,
  dependencies: ImportDependencies,
): Router {
  const { imports, limits, uploadDirectory } = dependencies;
  const router = Router();
  const admin = requireRole(verify, ['admin']);

  router.post('/api/v3/admin/import', admin, extendDeadline, jsonUnlessArchive, async (req, res) => {
    const { isDryRun, isPaid, id = randomUUID(), token } = parseInput(importQuery, req.query);
    // Checked before the archive is received.
    await requireReauthentication(principalOf(res));
    if (!isArchiveUpload(req)) {
      await commit(res, token ?? parseInput(importBody, req.body).token);
      return;
    }
    const options = { directory: uploadDirectory, maxBytes: limits.maxBytes };
    await using upload = await saveArchiveUpload(req, res, options);
    const givenToken = token ?? upload.token;
    // A token commits the plan that the dry run showed, even if the request also contains an archive.
    if (upload.path === undefined || givenToken !== undefined) {
      await commit(res, givenToken);
      return;
    }
    const createdBy = principalOf(res).userId;
    const planned = await planArchive(dependencies, { id, path: upload.path, isPaid, createdBy });
    if (isDryRun) await sendImport(res, planned.plan, planned.token);
    else if (planned.token !== null) await commit(res, planned.token);
    else throw invalid(rowErrors(await imports.badRows(id, maxErrors)));
  });

  router.get('/api/v3/admin/import/:id', admin, async (req, res) => {
    const id = String(req.params.id);
    const found = importId.test(id) ? await imports.find(id) : undefined;
    if (!found) throw notFound();
    res.json({ data: importView(found, await imports.counts(id), clock) });
  });

  async function commit(res: Response, token: string | undefined): Promise<void> {
    if (!token) throw invalid({ file: ['An archive is required, or the token of a dry run.'] });
    const committed = await commitImport(dependencies, token);
    // The import is committed here, and is completed as soon as auth is reachable.
    if (committed.state !== 'done') res.status(202);
    await sendImport(res, committed, token);
  }

  async function sendImport(res: Response, plan: Import, token: string | null): Promise<void> {
    const counts = await imports.counts(plan.id);
    const rows = imports.rows(plan.id, rowsPerBatch);
    res.type('application/json');
    await streamText(res, importJson({ plan, counts, rows, token }, clock));
  }

  return router;
}

/** Allows a request more time than others, for everything that it calls. */
export const extendDeadline: RequestHandler = (_req, _res, next) => {
  const context = requestContext.getStore();
  if (!context) throw new AppError('internal', 'Server Error', { cause: 'no request context' });
  requestContext.run({ ...context, deadline: Date.now() + requestTimeoutMs }, next);
};

const jsonUnlessArchive: RequestHandler = (req, res, next) =>
  isArchiveUpload(req) ? next() : jsonBody(req, res, next);
