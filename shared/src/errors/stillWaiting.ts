/**
 * The cause of an `unavailable` error when the deadline expires while waiting for a database that may be back soon. A
 * caller with time left can repeat the call to continue waiting (grpc/client.ts).
 */
export class StillWaiting extends Error {
  constructor(cause: unknown) {
    super('the deadline ended the wait for a connection', { cause });
    this.name = 'StillWaiting';
  }
}
