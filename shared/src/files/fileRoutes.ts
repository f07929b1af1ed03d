import { type Request, Router } from 'express';
import { forbidden } from '../errors/appError.ts';
import { readId } from '../http/pathId.ts';
import type { PublicUrl } from '../http/publicUrl.ts';
import { receivedAt } from '../http/receiptTime.ts';
import { shareConnections } from '../process/requestContext.ts';
import { isAnonymousFileName } from './anonymousFileName.ts';
import type { FileLibrary } from './fileLibrary.ts';
import { readerParameter, signedName } from './personalUrl.ts';
import { sendFile } from './sendFile.ts';
import { requireIssuedUrl, type UrlSigner } from './signedUrl.ts';

interface Dependencies {
  service: 'homework' | 'quiz';
  files: FileLibrary;
  signer: UrlSigner;
  /** Called before a file is sent through a URL signed for a reader. If it throws, nothing is sent. */
  onOpened?: ((reader: string, at: Date) => Promise<void>) | undefined;
  /** Called for each request to a URL signed for a reader. If it throws, the error is the response. */
  requireReadable?: ((reader: string) => Promise<void>) | undefined;
}

/**
 * `GET /api/v3/files/{service}/{id}?expires&signature`: the signature authorizes the request (D31). A URL can be signed
 * for a reader in the parameter `for`, which the signature covers.
 */
export function fileRoutes({ service, files, signer, onOpened, requireReadable }: Dependencies): Router {
  const router = Router();
  router.get(`/api/v3/files/${service}/:id`, async (req, res) => {
    const { id } = req.params;
    const { for: reader } = req.query;
    if (reader !== undefined && typeof reader !== 'string') throw forbidden();
    if (!signer.verify(signedName(id, reader), req.query)) throw forbidden();
    requireIssuedUrl(req, `/api/v3/files/${service}/${id}?${readerParameter(reader)}`);
    // Hundreds of downloads may start at once. Lists and grading must still get a connection.
    shareConnections();
    const file = await files.find(readId(id));
    // The file has since been removed. A signed URL must not reveal that.
    if (!file) throw forbidden();
    // HEAD does not reveal the content, so it does not count. Each range of a partial download counts as opening the
    // file.
    const isNamed = reader === undefined || !isAnonymousFileName(reader);
    if (reader !== undefined && isNamed) await requireReadable?.(reader);
    if (reader !== undefined && isNamed && req.method === 'GET')
      await onOpened?.(reader, new Date(receivedAt(res)));
    await sendFile(req, res, files.store, isNamed ? file : { ...file, name: reader });
  });
  return router;
}

/**
 * Creates a signed file URL. With `reader`, opening it calls `onOpened`, or serves the file under that name
 * (anonymousFileName.ts).
 */
export type FileUrls = (fileId: number, reader?: string) => string;

/** Returns a function that creates the `FileUrls` of one response. */
export const createFileUrls =
  (service: Dependencies['service'], signer: UrlSigner, publicUrl: PublicUrl) =>
  (req: Request): FileUrls => {
    const base = `${publicUrl.origin(req)}/api/v3/files/${service}/`;
    const now = Date.now();
    return (id, reader) =>
      `${base}${id}?${readerParameter(reader)}${signer.query(signedName(String(id), reader), now)}`;
  };
