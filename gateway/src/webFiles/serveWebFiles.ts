import { extname } from 'node:path';
import { startMeasuring } from '@gradeway/shared/http/requestMetrics';
import { recordRoute } from '@gradeway/shared/http/route';
import type { Health } from '@gradeway/shared/process/health';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../config.ts';
import type { LimitStore } from '../limits/limitStore.ts';
import { PendingBodies } from '../limits/pendingBodies.ts';
import { addressKey, createRateLimit } from '../limits/rateLimit.ts';
import { acceptsPages } from './acceptHeaders.ts';
import { isPageAddress } from './pageAddress.ts';
import { chooseRepresentation, type WebFile, type WebFiles } from './webFiles.ts';

/** Route of the hashed files in metrics and the log. */
export const assetsRoute = '/assets/*';
const pagesRoute = '/*';

// Also sent with files: a worker has the policy of its own file, not of the page.
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob: data:",
  "style-src 'self'",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

const forever = 'public, max-age=31536000, immutable';
const revalidated = 'no-cache';

/** The types of Express, except for these. */
const contentTypes: Record<string, string> = {
  '.ico': 'image/x-icon',
  '.svg': 'image/svg+xml; charset=utf-8',
};

// A school has hundreds of browsers behind one address, each with six connections.
const unfinished = { perClient: 2_000, total: 4_000, bytes: Number.POSITIVE_INFINITY };

interface Dependencies {
  files: WebFiles;
  config: Pick<Config, 'webLimit' | 'transferIdleTimeout'>;
  health: Health;
  limitStore: LimitStore | undefined;
}

interface Found {
  file: WebFile;
  /** Whether the response depends on `Accept`: programs get 404 at the address of a page. */
  isPage: boolean;
}

/**
 * Serves the files of the web application, and its page at the paths that the application itself routes. Looks up raw paths
 * in memory: no request reaches the file system.
 */
export function serveWebFiles({ files, config, health, limitStore }: Dependencies): RequestHandler {
  const requests = createRateLimit('files', config.webLimit, 60, limitStore);
  const sending = new PendingBodies(unfinished);

  function find(req: Request): Found | undefined {
    if (req.method !== 'GET' && req.method !== 'HEAD') return undefined;
    const file = files.find(req.path);
    if (file) return { file, isPage: false };
    const isPage = isPageAddress(req.path) && acceptsPages(req.get('accept'));
    return isPage ? { file: files.page, isPage } : undefined;
  }

  // Beyond the limits, the oldest response is aborted: legitimate clients read theirs within milliseconds or seconds.
  function limitTime(key: string, res: Response): void {
    const { remove } = sending.add(key, () => res.destroy());
    res.once('close', remove);
    res.setTimeout(config.transferIdleTimeout, () => res.destroy());
  }

  return async (req, res, next) => {
    const found = find(req);
    if (!found) return next();
    recordRoute(res, found.file.isHashed ? assetsRoute : pagesRoute);
    startMeasuring(req, res);
    const key = addressKey(req.ip);
    await requests.count(key);
    limitTime(key, res);
    if (health.draining) res.set('Connection', 'close');
    sendFile(req, res, found);
  };
}

function sendFile(req: Request, res: Response, { file, isPage }: Found): void {
  const { encoding, bytes, etag } = chooseRepresentation(file, req.get('accept-encoding'));
  res.vary(isPage ? 'Accept, Accept-Encoding' : 'Accept-Encoding');
  res.set({
    'Cache-Control': file.isHashed ? forever : revalidated,
    'Content-Security-Policy': policy,
    ETag: etag,
  });
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  if (encoding) res.set('Content-Encoding', encoding);
  const extension = extname(file.path).toLowerCase();
  res.type(contentTypes[extension] ?? extension).send(bytes);
}
