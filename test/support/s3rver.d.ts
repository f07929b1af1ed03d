declare module 's3rver' {
  import type { Server } from 'node:http';

  interface Options {
    address: string;
    port: number;
    silent: boolean;
    directory: string;
    vhostBuckets: boolean;
    configureBuckets: { name: string }[];
  }

  export default class S3rver {
    constructor(options: Options);
    /** Creates the buckets and listens. */
    run(): Promise<unknown>;
    close(): Promise<void>;
    httpServer: Server;
  }
}
