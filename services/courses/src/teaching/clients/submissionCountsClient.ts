import { type SubmissionCount, SubmissionsService } from '@gradeway/proto/submissions';
import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import { createGrpcClient } from '@gradeway/shared/grpc/client';

interface Options {
  addresses: Record<'homework' | 'quiz', string>;
  secret: ServiceSecret;
}

// Rather than wait longer, the list of courses shows no counts. With an explicit timeout, the call is not repeated while the
// service waits for its database.
const timeout = { timeoutMs: 1_500 };

/** Client of the counts that homework and quiz keep of their submissions. Connects with the first call. */
export function connectSubmissionCounts({ addresses, secret }: Options) {
  const connect = (callee: 'homework' | 'quiz') =>
    createGrpcClient(SubmissionsService, { address: addresses[callee], caller: 'courses', callee, secret });
  const clients = { homework: connect('homework'), quiz: connect('quiz') };
  return {
    /**
     * The numbers of submissions of at most 1,000 courses; those without any are missing.
     * @throws AppError when the service is unreachable, too slow, or too old to count
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
