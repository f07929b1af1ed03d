import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { freePort } from '@gradeway/local/ports';
import S3rver from 's3rver';

export interface S3Server {
  bucket: string;
  /** The settings of a service that stores its files in the bucket. */
  env: Record<string, string>;
  /** The keys of the stored objects, without the prefix. */
  keys(): Promise<string[]>;
  /** The bytes of a stored object; undefined when there is none. */
  read(key: string): Promise<Buffer | undefined>;
  /** Replaces the bytes of a stored object, as damage would. */
  damage(key: string, bytes: Uint8Array): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

const suffix = '._S3rver_object';

/** Starts an S3 server with one bucket and a temporary directory. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-s3-'));
  const [port, bucket] = [await freePort(), 'gradeway-files'];
  let server: S3rver;
  const start = async () => {
    server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory,
      vhostBuckets: false,
      configureBuckets: [{ name: bucket }],
    });
    await server.run();
  };
  const stop = async () => {
    server.httpServer.closeAllConnections();
    await server.close();
  };
  const objects = async () => {
    const entries = await readdir(join(directory, bucket), { recursive: true });
    return entries.filter((name) => name.endsWith(suffix));
  };
  const pathOf = async (key: string) => {
    const name = (await objects()).find((each) => basename(each, suffix) === key);
    return name === undefined ? undefined : join(directory, bucket, name);
  };
  await start();
  return {
    bucket,
    start,
    stop,
    env: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_FORCE_PATH_STYLE: '1',
      S3_PREFIX: 'files/',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async keys() {
      return (await objects()).map((name) => basename(name, suffix));
    },
    async read(key) {
      const path = await pathOf(key);
      return path === undefined ? undefined : readFile(path);
    },
    async damage(key, bytes) {
      await writeFile((await pathOf(key)) ?? '', bytes);
    },
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
