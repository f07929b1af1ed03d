import {
  type ErasePersonRequest,
  type ErasePersonResponse,
  type ExportPersonResponse,
  PersonalDataService,
  type PersonalDataServiceHandlers,
} from '@gradeway/proto/personal';
import type { GrpcService } from '../grpc/server.ts';

/** A record about a person: its kind and its columns. */
export interface PersonalRecord {
  kind: string;
  record: object;
}

interface PersonalData {
  /** Yields all records of a person, grouped by kind, without loading all of them into memory. */
  records(userId: number): AsyncIterable<PersonalRecord>;
  /** Yields the person's files. Only for services that store files. */
  files?(userId: number, signal: AbortSignal): AsyncIterable<ExportPersonResponse>;
  /**
   * Erases a person and yields after each step. When it returns, nothing is left. It must be idempotent, because it is
   * called again after an error.
   */
  erase(person: ErasePersonRequest): AsyncIterable<void>;
}

/** Implements the gRPC PersonalDataService (proto/gradeway/personal/v1). */
export const personalDataService = (data: PersonalData): GrpcService<PersonalDataServiceHandlers> => ({
  definition: PersonalDataService.service,
  callers: { ExportPerson: ['auth'], ErasePerson: ['auth'] },
  rpcs: {
    async *ExportPerson({ userId }, signal) {
      for await (const { kind, record } of data.records(userId))
        yield { record: { kind, json: JSON.stringify(record) } };
      if (data.files) yield* data.files(userId, signal);
    },
    ErasePerson: (person, signal) => eraseUntilDone(data.erase(person), signal),
  },
});

async function* eraseUntilDone(
  steps: AsyncIterable<void>,
  signal: AbortSignal,
): AsyncGenerator<ErasePersonResponse> {
  for await (const _ of steps) {
    signal.throwIfAborted();
    yield { done: false };
  }
  yield { done: true };
}
