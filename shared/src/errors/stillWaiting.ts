/**
 * Why a request is unavailable whose deadline ended its wait for a database that may be back soon. A caller with time left
 * may send the same call again, to go on waiting (grpc/client.ts).
 */
export class StillWaiting extends Error {
  constructor(cause: unknown) {
    super('the deadline ended the wait for a connection', { cause });
    this.name = 'StillWaiting';
  }
}
