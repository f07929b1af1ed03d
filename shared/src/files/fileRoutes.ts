import { type Request, Router } from 'express';
import { forbidden } from '../appError.ts';
import { readId } from '../pathId.ts';
import type { PublicUrl } from '../publicUrl.ts';
import type { UrlSigner } from '../signedUrl.ts';
import type { FileLibrary } from './fileLibrary.ts';
import { sendFile } from './sendFile.ts';

interface Parts {
  service: 'homework' | 'quiz';
  files: FileLibrary;
  signer: UrlSigner;
}

/** `GET /api/v3/files/{service}/{id}?expires&signature`: the signature is the permission (D31). */
export function fileRoutes({ service, files, signer }: Parts): Router {
  const router = Router();
  router.get(`/api/v3/files/${service}/:id`, async (req, res) => {
    const { id } = req.params;
    if (!signer.verify(id, req.query)) throw forbidden();
    const file = await files.find(readId(id));
    // Genuine, but removed since: nothing more is said to somebody who holds only an address.
    if (!file) throw forbidden();
    await sendFile(req, res, files.store, file);
  });
  return router;
}

/** Makes signed file URLs for one answer. */
export type FileUrls = (fileId: number) => string;

export const fileUrls =
  (service: Parts['service'], signer: UrlSigner, publicUrl: PublicUrl) =>
  (req: Request): FileUrls => {
    const base = `${publicUrl.origin(req)}/api/v3/files/${service}/`;
    return (id) => `${base}${id}?${signer.query(String(id))}`;
  };
