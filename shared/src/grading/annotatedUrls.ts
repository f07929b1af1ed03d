import type { Request } from 'express';
import { readerParameter, signedName } from '../files/personalUrl.ts';
import type { UrlSigner } from '../files/signedUrl.ts';
import type { PublicUrl } from '../http/publicUrl.ts';
import type { AnnotatedUrls } from './dependencies.ts';

/** The name that the signature of an annotated PDF covers. It differs from all file names, which are digits. */
export const annotatedName = (submissionId: number | string): string => `annotated ${submissionId}`;

/** Returns a function that creates the signed URLs of annotated PDFs for one response (D31). */
export const createAnnotatedUrls =
  (service: 'homework' | 'quiz', signer: UrlSigner, publicUrl: PublicUrl) =>
  (req: Request): AnnotatedUrls => {
    const base = `${publicUrl.origin(req)}/api/v3/files/${service}/annotated/`;
    return (submissionId, studentId) => {
      const reader = studentId?.toString();
      const signature = signer.query(signedName(annotatedName(submissionId), reader));
      return `${base}${submissionId}?${readerParameter(reader)}${signature}`;
    };
  };
