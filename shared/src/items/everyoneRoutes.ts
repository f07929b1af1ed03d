import { type RequestHandler, Router } from 'express';
import { z } from 'zod';
import type { GraderDependencies } from '../grading/dependencies.ts';
import { listQuery } from '../grading/schemas.ts';
import { longPage } from '../http/pagination.ts';
import { formatUtc } from '../http/timestamps.ts';
import { parseInput } from '../http/validation.ts';
import { deletedUserName } from '../projections/deletedUserName.ts';
import type { ListedAllowance } from './allowanceRepository.ts';
import { serializeAllowance } from './allowanceRoutes.ts';
import { requireNames } from './anonymity.ts';
import { formatCursor, parseCursor } from './everyoneCursor.ts';
import type { StudentGroups, SubmittedWork } from './everyoneRepository.ts';
import { itemOfPath } from './itemOfPath.ts';
import { serializeLateness } from './submittedWork.ts';

const states = ['missing', 'submitted', 'graded', 'excused'] as const;
export const everyoneQuery = z.object({ ...listQuery, state: z.enum(states).optional() });

// The groups as courses receives them. Students in no group are omitted.
const groupOrder = ['excused', 'graded', 'submitted'] as const;
const noGroup = -1;
const groupOf = { excused: 0, graded: 1, submitted: 2, missing: noGroup };

/** A paid enrollment, with a name unless the account was deleted. */
interface Student {
  userId: number;
  name: string;
  email: string;
}

/** `GET /api/v3/grading/{kind}/{item_id}/students`: all students who should hand in work. */
export function everyoneRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, everyone, allowances, students, publicUrl } = dependencies;
  const router = Router();

  router.get(`/api/v3/grading/${kind.name}/:item_id/students`, grader, async (req, res) => {
    const { role, ...item } = await itemOfPath(dependencies, req, res);
    const { per_page, cursor, search, state } = parseInput(everyoneQuery, req.query);
    const filter = { search, state };
    const afterUserId = parseCursor(item.id, filter, cursor);
    requireNames(item, role);
    const size = Math.min(per_page, longPage.max);
    const groups = shown(await everyone.groups(item.id), item);
    const page = await students({
      ...{ courseId: item.courseId, limit: size, search, afterUserId },
      groups: groupOrder.map((name) => ({ userIds: groups[name] })),
      onlyGroup: state && groupOf[state],
    });
    const ids = page.students.map(({ userId }) => userId);
    const [work, allowed] = await Promise.all([
      everyone.workOf(item.id, ids),
      allowances.listOf(item.id, ids),
    ]);
    const workOf = new Map(work.map((each) => [each.studentId, each]));
    const allowanceOf = new Map(allowed.map((each) => [each.studentId, each]));
    const last = page.more ? ids.at(-1) : undefined;
    const next = publicUrl.of(req);
    if (last !== undefined) next.searchParams.set('cursor', formatCursor(item.id, filter, last));
    const [excused = 0, graded = 0, submitted = 0] = page.groupTotals;
    const missing = page.total - excused - graded - submitted;
    res.json({
      data: page.students.map((student) =>
        serializeStudent(student, workOf.get(student.userId), allowanceOf.get(student.userId), item),
      ),
      links: { next: last === undefined ? null : next.href },
      meta: { per_page: size, total: page.total, counts: { missing, submitted, graded, excused } },
    });
  });

  return router;
}

interface Shown {
  isAnonymous: boolean;
}

// The number or names of graded students would help to identify the authors of submissions.
const shown = ({ excused, graded, submitted }: StudentGroups, { isAnonymous }: Shown): StudentGroups =>
  isAnonymous
    ? { excused, graded: [], submitted: [...graded, ...submitted] }
    : { excused, graded, submitted };

function serializeStudent(
  { userId, name, email }: Student,
  work: SubmittedWork | undefined,
  allowance: ListedAllowance | undefined,
  { isAnonymous }: Shown,
) {
  const isGraded = work !== undefined && work.grade !== null && !isAnonymous;
  const state = allowance?.excused ? 'excused' : !work ? 'missing' : isGraded ? 'graded' : 'submitted';
  return {
    student: { id: userId, name: name || deletedUserName, email },
    state,
    ...serializeWork(isAnonymous ? undefined : work),
    allowance: allowance ? serializeAllowance(allowance) : null,
  };
}

// The time of an upload and its lateness are also in the queue, where they would name the student of an anonymous submission.
const serializeWork = (work: SubmittedWork | undefined) => ({
  submission_id: work?.id ?? null,
  submitted_at: work ? formatUtc(work.submittedAt) : null,
  grade: work?.grade ?? null,
  ...(work ? serializeLateness(work, work.grade) : { late: null, final_grade: null }),
});
