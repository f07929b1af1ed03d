import type { Request } from 'express';
import type { UrlSigner } from '../files/signedUrl.ts';
import type { PublicUrl } from '../http/publicUrl.ts';
import type { AnnotatedUrls } from './dependencies.ts';

/** What the signature of an annotated PDF covers. No file has this name, because file ids are digits. */
export const annotatedName = (submissionId: number | string): string => `annotated ${submissionId}`;

/** Returns a function that prepares the URLs of annotated PDFs of one response, signed as those of files (D31). */
export const createAnnotatedUrls =
  (service: 'homework' | 'quiz', signer: UrlSigner, publicUrl: PublicUrl) =>
  (req: Request): AnnotatedUrls => {
    const base = `${publicUrl.origin(req)}/api/v3/files/${service}/annotated/`;
    return (submissionId) => `${base}${submissionId}?${signer.query(annotatedName(submissionId))}`;
  };
