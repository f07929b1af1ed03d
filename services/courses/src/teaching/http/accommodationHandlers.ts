import { principalOf } from '@gradeway/shared/auth/authenticate';
import { notFound } from '@gradeway/shared/errors/appError';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import type { Request, Response } from 'express';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { changeAccommodation, removeAccommodation } from '../domain/changeAccommodation.ts';
import { accommodationFields } from './schemas.ts';
import { accommodationView } from './serializers.ts';

/** Handles a teacher's requests about the accommodation of a student. */
export function accommodationHandlers(
  dependencies: ServiceDependencies,
  { accommodations }: Pick<TeachingDependencies, 'accommodations'>,
) {
  const { userProjection } = dependencies;
  const keyOf = (req: Request) => ({
    courseId: readId(req.params.course_id),
    studentId: readId(req.params.student_id),
  });

  async function read(req: Request, res: Response): Promise<void> {
    const accommodation = await accommodations.find(keyOf(req));
    if (!accommodation) throw notFound();
    res.json({ data: accommodationView(accommodation) });
  }

  async function put(req: Request, res: Response): Promise<void> {
    const { userId } = principalOf(res);
    const key = keyOf(req);
    const fields = parseInput(accommodationFields, req.body);
    await userProjection.ensureLoaded([userId]);
    await changeAccommodation({ ...dependencies, accommodations }, key, fields, userId);
    await read(req, res);
  }

  async function remove(req: Request, res: Response): Promise<void> {
    await removeAccommodation({ ...dependencies, accommodations }, keyOf(req));
    res.status(204).end();
  }

  return { read, put, remove };
}
