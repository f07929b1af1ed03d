import { Router } from 'express';
import { forbidden } from '../errors/appError.ts';
import type { FileLibrary } from '../files/fileLibrary.ts';
import { readerParameter, signedName } from '../files/personalUrl.ts';
import { sendFile } from '../files/sendFile.ts';
import { requireIssuedUrl, type UrlSigner } from '../files/signedUrl.ts';
import { annotatedName } from '../grading/annotatedUrls.ts';
import { readId } from '../http/pathId.ts';
import { shareConnections } from '../process/requestContext.ts';
import type { AnnotatedPdfs, AnnotatedSubmission } from './annotatedPdfs.ts';
import type { Viewer } from './annotatedSubmission.ts';

interface Dependencies {
  service: 'homework' | 'quiz';
  files: FileLibrary;
  annotated: AnnotatedPdfs;
  signer: UrlSigner;
  /**
   * Reads the current state of a submission; undefined when the submission or its last file was deleted.
   * @throws AppError `not_found` when a student asks and does not see the grade
   */
  findSubmission(id: number, viewer: Viewer): Promise<AnnotatedSubmission | undefined>;
}

/**
 * `GET /api/v3/files/{service}/annotated/{submission_id}?expires&signature`: the signature authorizes the request
 * (D31). A URL for a student has the parameter `for`, which the signature covers, and opens only while the grade is visible.
 */
export function annotatedFileRoutes({
  service,
  files,
  annotated,
  signer,
  findSubmission,
}: Dependencies): Router {
  const router = Router();
  router.get(`/api/v3/files/${service}/annotated/:id`, async (req, res) => {
    const { id } = req.params;
    const { for: reader } = req.query;
    if (reader !== undefined && typeof reader !== 'string') throw forbidden();
    if (!signer.verify(signedName(annotatedName(id), reader), req.query)) throw forbidden();
    requireIssuedUrl(req, `/api/v3/files/${service}/annotated/${id}?${readerParameter(reader)}`);
    shareConnections();
    const submission = await findSubmission(readId(id), reader === undefined ? 'staff' : 'student');
    // The submission has since been removed. A signed URL must not reveal that.
    if (!submission) throw forbidden();
    // The URL serves the current state, so caches must revalidate it every time.
    await sendFile(req, res, files.store, await annotated.open(submission), {
      cacheControl: 'private, no-cache',
    });
  });
  return router;
}
