import { createHash } from 'node:crypto';
import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { Router } from 'express';
import type { RouteDependencies } from '../../dependencies.ts';
import type { CalendarDependencies } from '../dependencies.ts';
import { createCalendar, deleteCalendar } from '../domain/createCalendar.ts';
import { readCalendar } from '../domain/readCalendar.ts';
import { toICalendar } from './iCalendar.ts';

/**
 * Routes for a person's calendar. Calendar programs read it without a token in a header, because its URL
 * grants access.
 */
export function calendarRoutes(
  { verify, publicUrl }: RouteDependencies,
  dependencies: CalendarDependencies,
): Router {
  const router = Router();
  const anyone = requireRole(verify, ['user', 'instructor', 'admin']);

  router.post('/api/v3/me/calendar', anyone, async (req, res) => {
    const token = await createCalendar(dependencies, principalOf(res).userId);
    res.status(201).json({ data: { url: `${publicUrl.origin(req)}/calendar/${token}.ics` } });
  });

  router.delete('/api/v3/me/calendar', anyone, async (_req, res) => {
    await deleteCalendar(dependencies, principalOf(res).userId);
    res.status(204).end();
  });

  router.get('/calendar/:token.ics', async (req, res) => {
    const events = await readCalendar(dependencies, req.params.token);
    const text = toICalendar(events, publicUrl.origin(req));
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    res.set({ 'Cache-Control': 'private, max-age=300', ETag: tag });
    // Programs that revalidate their copy often also send `Cache-Control: no-cache`, to which Express would respond
    // with the full calendar.
    if (req.get('if-none-match')?.includes(tag)) {
      res.status(304).end();
      return;
    }
    res.set({
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'inline; filename="gradeway.ics"',
      'X-Content-Type-Options': 'nosniff',
    });
    res.send(text);
  });

  return router;
}
