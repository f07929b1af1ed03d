import { type ExportSubmissionsPart, SubmissionsService } from '@gradeway/proto/submissions';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import type { SubmissionKind } from '../domain/submissionsArchive.ts';

interface Options {
  addresses: Record<SubmissionKind, string>;
  secret: string;
}

/** What courses asks of the services that keep submissions. Neither has to be there before it is asked. */
export function connectSubmissions({ addresses, secret }: Options) {
  const connect = (callee: SubmissionKind) =>
    createGrpcStreamClient(SubmissionsService, {
      address: addresses[callee],
      caller: 'courses',
      callee,
      secret,
    });
  const clients = { homework: connect('homework'), quiz: connect('quiz') };
  return {
    /**
     * Every present file that was handed in in a course, as it is read.
     * @throws AppError `unavailable` when the service is out of reach or silent
     */
    files(
      kind: SubmissionKind,
      courseId: number,
      signal: AbortSignal,
    ): AsyncGenerator<ExportSubmissionsPart, void, void> {
      return clients[kind].read('exportSubmissions', { courseId }, { signal });
    },
    close() {
      for (const client of Object.values(clients)) client.close();
    },
  };
}

export type SubmissionsClient = ReturnType<typeof connectSubmissions>;
