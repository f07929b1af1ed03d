import {
  type ErasePersonRequest,
  type ErasePersonResponse,
  type ExportPersonResponse,
  PersonalDataService,
  type PersonalDataServiceHandlers,
} from '@gradeway/proto/personal';
import type { GrpcService } from '../grpc/server.ts';

/** A record about a person: what it is, and its columns. */
export interface PersonalRecord {
  kind: string;
  record: object;
}

interface PersonalData {
  /** All records of a person, those of one kind in succession. It must not load all of them into memory. */
  records(userId: number): AsyncIterable<PersonalRecord>;
  /** The files of a person, for a service that stores files. */
  files?(userId: number, signal: AbortSignal): AsyncIterable<ExportPersonResponse>;
  /**
   * Erases a person and yields after each step. When it returns, nothing is left; after an error it is called again. It
   * must be idempotent.
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
