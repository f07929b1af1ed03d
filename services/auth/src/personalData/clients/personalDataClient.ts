import { type ExportPersonPart, PersonalDataService } from '@gradeway/proto/personal';
import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';

/** The services other than auth that store data about people. */
export const peers = ['courses', 'homework', 'quiz'] as const;
export type Peer = (typeof peers)[number];

interface Options {
  addresses: Record<Peer, string>;
  secret: ServiceSecret;
}

interface Person {
  userId: number;
  keepGrades: boolean;
  email: string;
  sourcedId: string;
}

/** Creates a client of the services that store data about people. It connects on the first call. */
export function connectPersonalData({ addresses, secret }: Options) {
  const connect = (callee: Peer) =>
    createGrpcStreamClient(PersonalDataService, {
      address: addresses[callee],
      caller: 'auth',
      callee,
      secret,
    });
  const clients = { courses: connect('courses'), homework: connect('homework'), quiz: connect('quiz') };
  return {
    /** Streams everything that a service stores about a person. */
    exportPerson(
      peer: Peer,
      userId: number,
      signal: AbortSignal,
    ): AsyncGenerator<ExportPersonPart, void, void> {
      return clients[peer].read('exportPerson', { userId }, { signal });
    },
    /**
     * Erases a person in a service. When it returns, the service has confirmed that nothing is left.
     * @throws AppError `unavailable` if the service is unreachable, stalls or cannot finish now
     */
    async erasePerson(peer: Peer, person: Person, signal: AbortSignal): Promise<void> {
      let isDone = false;
      for await (const message of clients[peer].read('erasePerson', person, { signal, firstMs: 30_000 }))
        isDone = message.done;
      if (!isDone) throw new Error(`${peer} ended an erasure without confirming it`);
    },
    close() {
      for (const client of Object.values(clients)) client.close();
    },
  };
}

export type PersonalDataClient = ReturnType<typeof connectPersonalData>;
