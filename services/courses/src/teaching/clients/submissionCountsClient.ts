import { type SubmissionCount, SubmissionsService } from '@gradeway/proto/submissions';
import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import { createGrpcClient } from '@gradeway/shared/grpc/client';

interface Options {
  addresses: Record<'homework' | 'quiz', string>;
  secret: ServiceSecret;
}

// After this time, the list of courses shows no counts. A call with an explicit timeout is not retried while the
// service waits for its database.
const timeout = { timeoutMs: 1_500 };

/** Client for the submission counts of homework and quiz. Connects on the first call. */
export function connectSubmissionCounts({ addresses, secret }: Options) {
  const connect = (callee: 'homework' | 'quiz') =>
    createGrpcClient(SubmissionsService, { address: addresses[callee], caller: 'courses', callee, secret });
  const clients = { homework: connect('homework'), quiz: connect('quiz') };
  return {
    /**
     * Counts the submissions of at most 1,000 courses. Courses without submissions are omitted.
     * @throws AppError if the service is unreachable, too slow, or does not have this RPC yet
     */
    async count(kind: 'homework' | 'quiz', courseIds: number[]): Promise<SubmissionCount[]> {
      return (await clients[kind].call('countSubmissions', { courseIds }, timeout)).counts;
    },
    close() {
      for (const client of Object.values(clients)) client.close();
    },
  };
}

export type SubmissionCountsClient = ReturnType<typeof connectSubmissionCounts>;
