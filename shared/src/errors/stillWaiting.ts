/**
 * The cause of an `unavailable` error when the deadline ended the wait for a database that may be back soon. A caller with time
 * left may send the same call again to continue waiting (grpc/client.ts).
 */
export class StillWaiting extends Error {
  constructor(cause: unknown) {
    super('the deadline ended the wait for a connection', { cause });
    this.name = 'StillWaiting';
  }
}
