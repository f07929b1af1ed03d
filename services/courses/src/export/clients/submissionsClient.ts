import { type ExportSubmissionsPart, SubmissionsService } from '@gradeway/proto/submissions';
import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import type { ArchiveRequest, SubmissionKind } from '../domain/submittedFiles.ts';

// Each copy is rendered before its file is sent, and may wait behind uploads that are being validated.
const renderTimes = { firstMs: 60_000, idleMs: 120_000, maxMs: 4 * 60 * 60_000 };

interface Options {
  addresses: Record<SubmissionKind, string>;
  secret: ServiceSecret;
}

/** Client of the services that store submissions. Connects with the first call. */
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
     * Streams the current files of all submissions in a course, with annotated copies on request.
     * @throws AppError `unavailable` when the service is unreachable or stalls
     */
    exportFiles(
      kind: SubmissionKind,
      { courseId, annotated }: ArchiveRequest,
      signal: AbortSignal,
    ): AsyncGenerator<ExportSubmissionsPart, void, void> {
      return clients[kind].read(
        'exportSubmissions',
        { courseId, annotated },
        { signal, ...(annotated ? renderTimes : {}) },
      );
    },
    close() {
      for (const client of Object.values(clients)) client.close();
    },
  };
}

export type SubmissionsClient = ReturnType<typeof connectSubmissions>;
