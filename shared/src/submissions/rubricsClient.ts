import { SubmissionsService } from '@gradeway/proto/submissions';
import type { FindRubric } from '../grading/sharedRubric.ts';
import { createGrpcClient, type GrpcClientOptions } from '../grpc/client.ts';
import { fromRubricMessage } from './rubricMessages.ts';

/** Client for the rubrics of the other kind, which are in the database of another service. Connects on the first call. */
export function connectRubrics(options: GrpcClientOptions): { find: FindRubric; close(): void } {
  const client = createGrpcClient(SubmissionsService, options);
  return {
    async find({ itemId, questionId }) {
      const question = questionId === null ? {} : { questionId };
      return fromRubricMessage(await client.call('getRubric', { itemId, ...question }));
    },
    close: () => client.close(),
  };
}
