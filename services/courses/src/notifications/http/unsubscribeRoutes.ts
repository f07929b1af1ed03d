import { notFound } from '@gradeway/shared/errors/appError';
import { type Response, Router } from 'express';
import type { NotificationDependencies } from '../dependencies.ts';
import { findUnsubscription, unsubscribe } from '../domain/changePreferences.ts';
import type { Language } from '../domain/preferences.ts';
import { escapeHtml, heading, htmlMessage, paragraph, unsubscribeForm } from '../messages/html.ts';
import type { Texts } from '../messages/texts.ts';
import { texts } from '../messages/textsByLanguage.ts';

const path = '/api/v3/notifications/unsubscribe';

const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

/**
 * Routes for unsubscribe links, whose token is the credential. A mail program posts without confirmation (RFC 8058);
 * opening a link changes nothing, because scanners also open links.
 */
export function unsubscribeRoutes(notifications: NotificationDependencies): Router {
  const router = Router();
  const find = (query: unknown) => findUnsubscription(notifications, tokenOf(query));

  router.get(path, async (req, res) => {
    const found = await find(req.query);
    if (!found) throw notFound();
    sendPage(res, found.language, ({ question, button }) => [
      paragraph(escapeHtml(question[found.kind])),
      unsubscribeForm(button),
    ]);
  });

  router.post(path, async (req, res) => {
    const found = await find(req.query);
    if (!found) throw notFound();
    await unsubscribe(notifications, found);
    sendPage(res, found.language, ({ done, undo }) => [
      paragraph(escapeHtml(done)),
      paragraph(escapeHtml(undo)),
    ]);
  });

  return router;
}

const tokenOf = (query: unknown): string => {
  const { token } = query as { token?: unknown };
  return typeof token === 'string' ? token : '';
};

function sendPage(res: Response, language: Language, contentOf: (page: Texts['page']) => string[]): void {
  const { page, ...rest } = texts[language];
  res
    .set('Content-Security-Policy', policy)
    .type('html')
    .send(htmlMessage(rest, page.title, [heading(1, page.title), ...contentOf(page)]));
}
