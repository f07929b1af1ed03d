import { pipeline } from 'node:stream/promises';
import type { Clock } from '@gradeway/shared/http/timestamps';
import type { Request, Response } from 'express';
import type { SubmissionsClient } from '../clients/submissionsClient.ts';
import { createSubmissionsArchive } from '../domain/submissionsArchive.ts';
import type { SubmissionKind } from '../domain/submittedFiles.ts';

interface Dependencies {
  submissions: SubmissionsClient;
  clock: Clock;
  /** Records the export. */
  record(): Promise<void>;
}

const kinds: SubmissionKind[] = ['homework', 'quiz'];

/**
 * Sends all submitted files of a course as a ZIP archive. The response starts only after both services have answered,
 * so that an unreachable one still results in 503; a later failure breaks the connection. When the client
 * disconnects, both streams are cancelled.
 */
export async function sendSubmissionsArchive(
  req: Request,
  res: Response,
  { submissions, clock, record }: Dependencies,
  courseId: number,
): Promise<void> {
  const setHeaders = () =>
    res.type('zip').set({
      'Content-Disposition': `attachment; filename="course-${courseId}-submissions.zip"`,
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
        parts: await started(submissions.exportFiles(kind, courseId, cancellation.signal)),
      })),
    );
    await record();
    setHeaders();
    await pipeline(createSubmissionsArchive(sources, clock, cancellation.signal), res);
  } catch (error) {
    if (!isClientDisconnect(error)) throw error;
  } finally {
    cancellation.abort();
  }
}

// A disconnect surfaces as a premature end of the response, or as the cancellation that follows from it.
const isClientDisconnect = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' ||
  (error as Error).name === 'AbortError';

/** The same values, once the first one has arrived or the generator has ended. */
async function started<T>(values: AsyncGenerator<T, void, void>): Promise<AsyncGenerator<T, void, void>> {
  const first = await values.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* values;
  })();
}
