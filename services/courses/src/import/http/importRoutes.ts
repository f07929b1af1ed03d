import { randomUUID } from 'node:crypto';
import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { AppError, invalid, notFound } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { parseInput, string } from '@gradeway/shared/http/validation';
import { requestContext } from '@gradeway/shared/process/requestContext';
import { type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { Dependencies } from '../../http/dependencies.ts';
import { sendText } from '../../http/streamText.ts';
import { commitImport } from '../domain/commitImport.ts';
import type { Import } from '../domain/import.ts';
import { planImport } from '../domain/planImport.ts';
import { hasArchive, receiveArchive } from './archiveUpload.ts';
import { importText, importView, rowErrors } from './serializers.ts';

// A large archive is read for a minute, and passwords are hashed.
const longestMs = 10 * 60_000;
const mostErrors = 100;
const importId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const flag = z.enum(['0', '1', 'false', 'true', '']).transform((value) => value === '1' || value === 'true');
const importQuery = z
  .object({
    dry_run: flag.default(false),
    paid: flag.default(true),
    id: z.string().toLowerCase().regex(importId).optional(),
    token: string(100).optional(),
  })
  .transform(({ dry_run, ...query }) => ({ ...query, isDryRun: dry_run }));
const importBody = z.object({ token: string(100).optional() });

/** What administrators do with OneRoster archives. */
export function importRoutes({ verify, clock, importing }: Dependencies): Router {
  const { imports, limits, directory } = importing;
  const view = { imports, clock };
  const router = Router();
  const admin = requireRole(verify, ['admin']);

  router.post('/api/v3/admin/import', admin, longer, jsonUnlessArchive, async (req, res) => {
    const { isDryRun, paid, id = randomUUID(), token } = parseInput(importQuery, req.query);
    if (!hasArchive(req)) {
      await sendCommitted(res, token ?? parseInput(importBody, req.body).token);
      return;
    }
    await using received = await receiveArchive(req, res, { directory, maxBytes: limits.maxBytes });
    const given = token ?? received.token;
    // The plan of a token is committed as it was shown, whatever is sent with it.
    if (received.path === undefined || given !== undefined) {
      await sendCommitted(res, given);
      return;
    }
    const createdBy = principalOf(res).userId;
    const planned = await planImport(importing, { id, path: received.path, isPaid: paid, createdBy });
    if (isDryRun) await send(res, planned.plan, planned.token);
    else if (planned.token !== null) await sendCommitted(res, planned.token);
    else throw invalid(rowErrors(await imports.badRows(id, mostErrors)));
  });

  router.get('/api/v3/admin/import/:id', admin, async (req, res) => {
    const id = String(req.params.id);
    const found = importId.test(id) ? await imports.find(id) : undefined;
    if (!found) throw notFound();
    res.json({ data: await importView(view, found) });
  });

  async function sendCommitted(res: Response, token: string | undefined): Promise<void> {
    if (!token) throw invalid({ file: ['An archive is required, or the token of a dry run.'] });
    const committed = await commitImport(importing, token);
    // Decided, and carried on as soon as auth can be reached.
    if (committed.state !== 'done') res.status(202);
    await send(res, committed, token);
  }

  async function send(res: Response, plan: Import, token: string | null): Promise<void> {
    res.type('application/json');
    await sendText(res, importText(view, plan, token));
  }

  return router;
}

const longer: RequestHandler = (_req, _res, next) => {
  const context = requestContext.getStore();
  if (!context) throw new AppError('internal', 'Server Error', { cause: 'no request context' });
  requestContext.run({ ...context, deadline: Date.now() + longestMs }, next);
};

const jsonUnlessArchive: RequestHandler = (req, res, next) =>
  hasArchive(req) ? next() : jsonBody(req, res, next);
