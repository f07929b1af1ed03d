import { listenGrpc } from '@gradeway/shared/grpc/server';
import type { HttpServer } from '@gradeway/shared/http/server';
import { startAdminServer } from '@gradeway/shared/process/adminServer';
import { Health } from '@gradeway/shared/process/health';
import { createLogger } from '@gradeway/shared/process/logger';
import { Client, credentials } from '@grpc/grpc-js';
import { service as healthProtocol } from 'grpc-health-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const host = '127.0.0.1';
let health: Health;
let adminServer: HttpServer;

beforeEach(async () => {
  health = new Health();
  adminServer = await startAdminServer(health, host, 0);
});
afterEach(() => adminServer.close());

const statusOf = async (path: string) => (await fetch(`http://${host}:${adminServer.port}${path}`)).status;

describe('a process that passes requests on', () => {
  test('is ready itself while another is not, and then the system is not', async () => {
    health.addUpstreamCheck('quiz', () => false);
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/readyz/self')).toBe(200);
  });

  test('is ready in neither sense while it lacks something of its own, or drains', async () => {
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

  /** What a kubelet asks: without a credential of ours. */
  async function asking(
    work: (check: (service?: string) => Promise<string>) => Promise<void>,
  ): Promise<void> {
    const log = createLogger('test', 'silent');
    const server = await listenGrpc({
      ...{ name: 'quiz', host, port: 0, log, health },
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

  test('says whether the process is ready, at every question anew', () =>
    asking(async (check) => {
      let database = true;
      health.addCheck('database', () => database);
      expect(await check()).toBe('SERVING');
      database = false;
      expect(await check()).toBe('NOT_SERVING');
      database = true;
      expect(await check()).toBe('SERVING');
    }));

  test('says NOT_SERVING from the moment that the process drains', () =>
    asking(async (check) => {
      health.drain();
      expect(await check()).toBe('NOT_SERVING');
    }));

  test('knows no other service', () =>
    asking(async (check) => {
      await expect(check('gradeway.quiz')).rejects.toMatchObject({ code: 5 });
    }));
});
