import { pipeline } from 'node:stream/promises';
import type { Clock } from '@gradeway/shared/http/timestamps';
import type { Request, Response } from 'express';
import type { SubmissionsClient } from '../clients/submissionsClient.ts';
import { type SubmissionKind, submissionsArchive } from '../domain/submissionsArchive.ts';

interface Dependencies {
  submissions: SubmissionsClient;
  clock: Clock;
}

const kinds: SubmissionKind[] = ['homework', 'quiz'];

/**
 * Sends all files of a course as a ZIP archive. Both services have answered before the first byte, so that one that is
 * away is still a 503; what fails later breaks the connection. A reader who goes away ends the work everywhere.
 */
export async function sendSubmissions(
  req: Request,
  res: Response,
  { submissions, clock }: Dependencies,
  courseId: number,
): Promise<void> {
  const name = `course-${courseId}-submissions.zip`;
  const setHeaders = () =>
    res.type('zip').set({
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Content-Type-Options': 'nosniff',
    });
  if (req.method === 'HEAD') {
    setHeaders().end();
    return;
  }
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  try {
    const sources = await Promise.all(
      kinds.map(async (kind) => ({
        kind,
        dependencies: await begun(submissions.files(kind, courseId, gone.signal)),
      })),
    );
    setHeaders();
    await pipeline(submissionsArchive(sources, clock, gone.signal), res);
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  } finally {
    gone.abort();
  }
}

// The end of the reader shows as the end of the response, or as our own abort that follows from it.
const isReaderGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' ||
  (error as Error).name === 'AbortError';

/** The same generator, once it has given its first value or ended. */
async function begun<T>(values: AsyncGenerator<T, void, void>): Promise<AsyncGenerator<T, void, void>> {
  const first = await values.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* values;
  })();
}
