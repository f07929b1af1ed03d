import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import type { Role } from '@gradeway/shared/auth/roles';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import type { RouteDependencies } from '../../dependencies.ts';
import type { NotificationDependencies } from '../dependencies.ts';
import { changePreferences } from '../domain/changePreferences.ts';
import { choicesOf, type Preferences } from '../domain/preferences.ts';
import { preferenceChanges } from './schemas.ts';

const path = '/api/v3/me/notifications';

/** Routes for a person's own notifications. */
export function notificationRoutes(
  { verify }: Pick<RouteDependencies, 'verify'>,
  notifications: NotificationDependencies,
): Router {
  const router = Router();
  const anyone = requireRole(verify, ['user', 'instructor', 'admin']);

  router.get(path, anyone, async (_req, res) => {
    const { userId, role } = principalOf(res);
    res.json({ data: view(role, await notifications.preferences.of(userId)) });
  });

  router.put(path, anyone, jsonBody, async (req, res) => {
    const { userId, role } = principalOf(res);
    const changes = parseInput(preferenceChanges(role), req.body);
    res.json({ data: view(role, await changePreferences(notifications, userId, changes)) });
  });

  return router;
}

const view = (role: Role, { language, kinds }: Preferences) => ({ language, kinds: choicesOf(role, kinds) });
