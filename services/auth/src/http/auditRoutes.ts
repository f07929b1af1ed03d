import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { sendCsv } from '@gradeway/shared/csv/sendCsv';
import { inTransaction } from '@gradeway/shared/database/connection';
import { parseInput } from '@gradeway/shared/http/validation';
import { type Response, Router } from 'express';
import type { AuditFilter } from '../domain/recordedEntry.ts';
import { requireReauthentication } from '../domain/requireReauthentication.ts';
import { auditQuery, formatCursor } from './auditQuery.ts';
import { auditCsv, auditView } from './auditSerializers.ts';
import type { Dependencies } from './dependencies.ts';

/** The audit log, for administrators: a list by cursor, or all matching entries as CSV. */
export function auditRoutes(dependencies: Dependencies): Router {
  const { audit, sequelize, clock, publicUrl } = dependencies;
  const router = Router();
  const admin = requireRole(dependencies.verifyToken, ['admin']);

  router.get('/api/v3/admin/audit', admin, async (req, res) => {
    const { filter, cursor, size, format, bom } = parseInput(auditQuery, req.query);
    if (format === 'csv') {
      await requireReauthentication(dependencies, principalOf(res));
      await sendFile(res, filter, bom);
      return;
    }
    // Reads one more entry than the page shows, to find out whether another page follows.
    const entries = await audit.page(filter, cursor, size + 1);
    const page = entries.slice(0, size);
    const last = entries.length > size ? page.at(-1) : undefined;
    const next = publicUrl.of(req);
    if (last) next.searchParams.set('cursor', formatCursor(last));
    res.json({
      data: page.map((entry) => auditView(entry, clock)),
      links: { next: last ? next.href : null },
      meta: { per_page: size },
    });
  });

  async function sendFile(res: Response, filter: AuditFilter, bom: boolean): Promise<void> {
    await inTransaction(sequelize, (transaction) => audit.record({ action: 'audit.exported' }, transaction));
    await sendCsv(res, { fileName: 'audit.csv', bom }, auditCsv(audit.batches(filter), clock));
  }

  return router;
}
