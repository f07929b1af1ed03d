import { createHttpClient } from '@gradeway/test/httpClient';
import { Client, credentials } from '@grpc/grpc-js';
import { service as healthProtocol } from 'grpc-health-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listenGrpc } from '../../src/grpc/server.ts';
import { startAdminServer } from '../../src/http/adminServer.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { Health } from '../../src/process/health.ts';
import { createLogger } from '../../src/process/logger.ts';

const host = '127.0.0.1';
let health: Health;
let adminServer: HttpServer;

beforeEach(async () => {
  health = new Health();
  adminServer = await startAdminServer(health, host, 0);
});
afterEach(() => adminServer.close());

const statusOf = async (path: string) =>
  (await createHttpClient({ baseUrl: `http://${host}:${adminServer.port}` }).get(path)).status;

describe('a process with upstream services', () => {
  test('a process is ready while an upstream service is not', async () => {
    health.addUpstreamCheck('quiz', () => false);
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/readyz/self')).toBe(200);
  });

  test('a process is not ready while one of its own checks fails or while it drains', async () => {
    let keys = false;
    health.addCheck('token keys', () => keys);
    expect(await statusOf('/readyz/self')).toBe(503);
    keys = true;
    expect(await statusOf('/readyz/self')).toBe(200);
    health.drain();
    expect(await statusOf('/readyz/self')).toBe(503);
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/livez')).toBe(200);
  });
});

describe('the gRPC health protocol', () => {
  const { path, requestSerialize, responseDeserialize } = healthProtocol.Check as never as {
    path: string;
    requestSerialize(request: object): Buffer;
    responseDeserialize(bytes: Buffer): { status: string };
  };

  /** Starts a server and calls it like a kubelet, without a service credential. */
  async function withServer(
    work: (check: (service?: string) => Promise<string>) => Promise<void>,
  ): Promise<void> {
    const log = createLogger('test', 'silent');
    const server = await listenGrpc({
      name: 'quiz',
      host,
      port: 0,
      log,
      health,
      secret: 'x'.repeat(20),
    });
    const client = new Client(`${host}:${server.port}`, credentials.createInsecure());
    const check = (service = '') =>
      new Promise<string>((resolve, reject) => {
        const deadline = { deadline: Date.now() + 3_000 };
        client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          { service },
          deadline,
          (error, answer) => (error ? reject(error) : resolve(answer?.status ?? '')),
        );
      });
    try {
      await work(check);
    } finally {
      client.close();
      await server.close();
    }
  }

  test('the gRPC health protocol evaluates readiness on every call', () =>
    withServer(async (check) => {
      let database = true;
      health.addCheck('database', () => database);
      expect(await check()).toBe('SERVING');
      database = false;
      expect(await check()).toBe('NOT_SERVING');
      database = true;
      expect(await check()).toBe('SERVING');
    }));

  test('the gRPC health protocol reports NOT_SERVING while the process drains', () =>
    withServer(async (check) => {
      health.drain();
      expect(await check()).toBe('NOT_SERVING');
    }));

  test('the gRPC health protocol rejects any other service name', () =>
    withServer(async (check) => {
      await expect(check('gradeway.quiz')).rejects.toMatchObject({ code: 5 });
    }));
});
