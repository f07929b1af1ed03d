import type { Clock } from '@gradeway/shared/http/timestamps';
import { sendZip } from '@gradeway/shared/zip/sendZip';
import type { Request, Response } from 'express';
import type { SubmissionsClient } from '../clients/submissionsClient.ts';
import { submissionsArchive } from '../domain/submissionsArchive.ts';
import type { ArchiveRequest, SubmissionKind } from '../domain/submittedFiles.ts';

interface Dependencies {
  submissions: SubmissionsClient;
  clock: Clock;
  /** Records the export in the audit log. */
  record(): Promise<void>;
}

const kinds: SubmissionKind[] = ['homework', 'quiz'];

/**
 * Sends all submitted files of a course as a ZIP archive, with annotated copies on request. The response starts only
 * after both services have responded, so that an unreachable one still results in 503. A later failure aborts the
 * connection. When the client disconnects, both streams are cancelled.
 */
export async function sendSubmissionsArchive(
  req: Request,
  res: Response,
  { submissions, clock, record }: Dependencies,
  request: ArchiveRequest,
): Promise<void> {
  const setHeaders = () =>
    res.type('zip').set({
      'Content-Disposition': `attachment; filename="course-${request.courseId}-submissions.zip"`,
      'X-Content-Type-Options': 'nosniff',
    });
  if (req.method === 'HEAD') {
    setHeaders().end();
    return;
  }
  const cancellation = new AbortController();
  res.once('close', () => cancellation.abort());
  try {
    const sources = await Promise.all(
      kinds.map(async (kind) => ({
        kind,
        parts: await started(submissions.exportFiles(kind, request, cancellation.signal)),
      })),
    );
    await record();
    setHeaders();
    await sendZip(res, submissionsArchive(sources, clock, request), cancellation.signal);
  } catch (error) {
    // The client disconnected before the archive started.
    if ((error as Error).name !== 'AbortError') throw error;
  } finally {
    cancellation.abort();
  }
}

/** Returns the same values, after waiting for the first one or the end of the generator. */
async function started<T>(values: AsyncGenerator<T, void, void>): Promise<AsyncGenerator<T, void, void>> {
  return resumed(await values.next(), values);
}

async function* resumed<T>(
  first: IteratorResult<T, void>,
  values: AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  if (first.done) return;
  yield first.value;
  yield* values;
}
