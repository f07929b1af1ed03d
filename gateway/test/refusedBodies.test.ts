import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

const half = Buffer.alloc(2 * 1024 * 1024);

/** Sends half of an upload that is refused: by the service, or by the gateway, which finds no token. */
async function startRefused(gateway: TestGateway, by: 'the service' | 'the gateway') {
  let responded = by === 'the gateway';
  gateway.answer((req, res) => {
    req.resume();
    res.writeHead(403, { 'Content-Type': 'application/json' }).end('{"message":"refused"}', () => {
      responded = true;
    });
  });
  const token = by === 'the service' ? gateway.admin : 'none';
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': 2 * half.length,
  };
  const upload = request(`${gateway.url}/api/v3/quiz/submit-pdf`, { method: 'POST', headers });
  let status: number | undefined;
  const ended = new Promise((resolve) => {
    upload.on('response', (response) => {
      status = response.statusCode;
      response.resume().once('end', resolve);
    });
    upload.once('close', resolve).on('error', () => {});
  });
  await new Promise((resolve) => upload.write(half, resolve));
  await waitFor(() => responded);
  // An early response would be sent before the responses to other requests.
  for (let each = 0; each < 3; each += 1) await (await fetch(`${gateway.url}/livez`)).arrayBuffer();
  return { upload, ended, status: () => status };
}

const refusals = [
  ['the service', 403],
  ['the gateway', 401],
] as const;

describe('behind a proxy', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ TRUSTED_PROXIES: '1' });
  });
  afterAll(() => gateway.close());

  test.each(refusals)(
    'a large body that %s refuses is received before the response, which a proxy could lose otherwise',
    async (by, expected) => {
      const { upload, ended, status } = await startRefused(gateway, by);
      expect(status()).toBeUndefined();
      upload.end(half);
      await ended;
      expect(status()).toBe(expected);
    },
  );

  test('a client may take longer to send the rest than a service may be silent', async () => {
    const patient = await startGateway({
      TRUSTED_PROXIES: '1',
      IDLE_TIMEOUT: '1s',
      TRANSFER_IDLE_TIMEOUT: '1s',
    });
    const { upload, ended, status } = await startRefused(patient, 'the service');
    const quarter = half.subarray(0, half.length / 4);
    for (let sent = 0; sent < 3; sent += 1) {
      await sleep(800);
      await new Promise((resolve) => upload.write(quarter, resolve));
    }
    upload.end(quarter);
    await ended;
    expect(status()).toBe(403);
    await patient.close();
  });

  test('a client that stops sending a refused body is disconnected', async () => {
    const impatient = await startGateway({ TRUSTED_PROXIES: '1', UPLOAD_MAX_PAUSE: '1s' });
    const { ended, status } = await startRefused(impatient, 'the gateway');
    await ended;
    expect(status()).toBeUndefined();
    await impatient.close();
  });
});

test.each(refusals)(
  'without a proxy, the response to a large body that %s refuses is sent immediately',
  async (by, expected) => {
    const gateway = await startGateway();
    const { upload, status } = await startRefused(gateway, by);
    await waitFor(() => status() !== undefined);
    expect(status()).toBe(expected);
    upload.destroy();
    await gateway.close();
  },
);
