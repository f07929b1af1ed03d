import { type Request, Router } from 'express';
import { forbidden } from '../errors/appError.ts';
import { receivedAt } from '../http/app.ts';
import { readId } from '../http/pathId.ts';
import type { PublicUrl } from '../http/publicUrl.ts';
import type { FileLibrary } from './fileLibrary.ts';
import { sendFile } from './sendFile.ts';
import type { UrlSigner } from './signedUrl.ts';

interface Dependencies {
  service: 'homework' | 'quiz';
  files: FileLibrary;
  signer: UrlSigner;
  /** Told of whom an address was made for, and when, before its file is sent. Throws: nothing is sent. */
  opened?(reader: string, at: Date): Promise<void>;
}

/**
 * `GET /api/v3/files/{service}/{id}?expires&signature`: the signature is the permission (D31). An address may have
 * been made for somebody: `for` says for whom, and the signature covers it.
 */
export function fileRoutes({ service, files, signer, opened }: Dependencies): Router {
  const router = Router();
  router.get(`/api/v3/files/${service}/:id`, async (req, res) => {
    const { id } = req.params;
    const { for: reader } = req.query;
    if (reader !== undefined && typeof reader !== 'string') throw forbidden();
    if (!signer.verify(signedName(id, reader), req.query)) throw forbidden();
    const file = await files.find(readId(id));
    // Genuine, but removed since: nothing more is said to somebody who holds only an address.
    if (!file) throw forbidden();
    // HEAD shows nothing of the file; of a file that is read in parts any part counts.
    if (reader !== undefined && req.method === 'GET') await opened?.(reader, new Date(receivedAt(res)));
    await sendFile(req, res, files.store, file);
  });
  return router;
}

// File ids are digits, so that no file's own name is another's with a reader.
const signedName = (id: string, reader: string | undefined): string =>
  reader === undefined ? id : `${id} for ${reader}`;

/** Makes signed file URLs for one answer; where a reader is given, the URL tells who opens it. */
export type FileUrls = (fileId: number, reader?: string) => string;

export const fileUrls =
  (service: Dependencies['service'], signer: UrlSigner, publicUrl: PublicUrl) =>
  (req: Request): FileUrls => {
    const base = `${publicUrl.origin(req)}/api/v3/files/${service}/`;
    return (id, reader) => {
      const statement = reader === undefined ? '' : `for=${encodeURIComponent(reader)}&`;
      return `${base}${id}?${statement}${signer.query(signedName(String(id), reader))}`;
    };
  };
