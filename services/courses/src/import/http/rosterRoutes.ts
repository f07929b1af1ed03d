import { principalOf } from '@gradeway/shared/auth/authenticate';
import { invalidFile, maxTableBytes } from '@gradeway/shared/csv/tableFile';
import { requireDryRun, tokenBody } from '@gradeway/shared/csv/tableRequest';
import { receiveForm } from '@gradeway/shared/files/receiveForm';
import { jsonBodyOrForm } from '@gradeway/shared/http/jsonBody';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { type Request, type Response, Router } from 'express';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../../teaching/dependencies.ts';
import { courseGuards } from '../../teaching/http/courseGuards.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { commitImport } from '../domain/commitImport.ts';
import { planRoster, type RosterEffect } from '../roster/planRoster.ts';
import { readRoster } from '../roster/readRoster.ts';
import { extendDeadline } from './importRoutes.ts';

/** Routes for rosters, which teachers use to enroll students in their courses. */
export function rosterRoutes(
  dependencies: ServiceDependencies,
  teaching: Pick<TeachingDependencies, 'instructors'>,
  imports: ImportDependencies,
): Router {
  const { requireReauthentication } = dependencies;
  const router = Router();
  const { teacher } = courseGuards(dependencies, teaching);
  const path = '/api/v3/grading/courses/:course_id/roster';

  router.post(path, ...teacher, extendDeadline, jsonBodyOrForm, async (req, res) => {
    const principal = principalOf(res);
    // It can create accounts.
    await requireReauthentication(principal);
    const owner = { courseId: readId(req.params.course_id), userId: principal.userId };
    if (!req.is('multipart/form-data')) {
      const { token } = parseInput(tokenBody, req.body);
      const { id, state } = await commitImport(imports, token, owner);
      // As for archives: the students are enrolled, and accounts are created as soon as auth is reachable.
      if (state !== 'done') res.status(202);
      res.json({ data: { ...(await effectOf(id)), errors: [], token: null } });
      return;
    }
    requireDryRun(req.query);
    const roster = await readUpload(req, res, principal.userId);
    const createsAccounts = principal.role === 'admin' || imports.teachersCreateAccounts;
    res.json({ data: await planRoster(imports, { ...owner, createsAccounts, roster }) });
  });

  async function readUpload(req: Request, res: Response, userId: number) {
    const options = {
      directory: imports.uploadDirectory,
      maxBytes: maxTableBytes,
      field: 'file',
      maxFiles: 1,
    };
    await using form = await receiveForm(req, res, { ...options, userId });
    const [upload] = form.files;
    if (!upload) throw invalidFile('The file field is required.');
    return await readRoster(upload.path);
  }

  async function effectOf(importId: string): Promise<RosterEffect> {
    const counts = await imports.imports.counts(importId);
    const countOf = (file: string, actions: string[]) =>
      counts
        .filter((each) => each.file === file && actions.includes(each.action))
        .reduce((sum, { count }) => sum + count, 0);
    return {
      enrolled: countOf('enrollments', ['create', 'update']),
      created: countOf('users', ['create']),
      unchanged: countOf('enrollments', ['unchanged']),
    };
  }

  return router;
}
