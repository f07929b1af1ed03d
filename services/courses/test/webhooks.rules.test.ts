import { ConfigError, readConfig } from '@gradeway/shared/config/readConfig';
import { waitFor } from '@gradeway/test/waitFor';
import { startWebhookReceiver, type WebhookReceiver } from '@gradeway/test/webhookReceiver';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookSettings } from '../src/webhooks/config.ts';
import { SecretCipher } from '../src/webhooks/data/secretCipher.ts';
import { postToReceiver } from '../src/webhooks/delivery/postToReceiver.ts';
import { SsrfGuard } from '../src/webhooks/delivery/ssrfGuard.ts';
import { evaluateAttempt } from '../src/webhooks/domain/evaluateAttempt.ts';
import { isAllowedAddress } from '../src/webhooks/domain/publicAddress.ts';
import { delayAfter, retryAfterMs } from '../src/webhooks/domain/retrySchedule.ts';
import { createSecret, formatSecret, parseSecret, signedHeaders } from '../src/webhooks/domain/signature.ts';

describe('addresses', () => {
  test.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:4700::1111'])('%s is public', (address) => {
    expect([isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([true, true]);
  });

  test.each([
    '127.0.0.1',
    '127.255.0.9',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fc00::1',
    'fd12:3456::1',
  ])('%s is private, and allowed only where private addresses are', (address) => {
    expect([isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([false, true]);
  });

  test.each([
    '169.254.169.254',
    '0.0.0.0',
    '0.1.2.3',
    '255.255.255.255',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '::',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '100::1',
    '5f00::1',
    '3fff::1',
    // IPv4 addresses embedded in IPv6: mapped, compatible, NAT64, its local prefix, 6to4, Teredo.
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '::ffff:0:127.0.0.1',
    'fe80::1%eth0',
    'localhost',
    '',
    '1.2.3',
  ])('%s is never allowed', (address) => {
    expect([isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([false, false]);
  });
});

describe('URLs', () => {
  const strict = new SsrfGuard({ allowHttp: false, allowPrivateAddresses: false });

  test.each([
    ['https://school.example/hooks?key=1', undefined],
    ['http://school.example/', 'The url must start with https://.'],
    ['ftp://school.example/', 'The url must start with https://.'],
    ['https://user:password@school.example/', 'The url must not contain credentials.'],
    ['https://school.example/#part', 'The url must not contain a fragment.'],
    ['school.example', 'The url must be a URL.'],
    ['https://school.example/\r\nX-Injected: 1', 'The url must be a URL.'],
    ['https://school.\nexample/', 'The url must be a URL.'],
    ['https://school.example/\ttab', 'The url must be a URL.'],
    // The URL parser normalizes every spelling of 127.0.0.1.
    ['https://127.0.0.1/', 'The url must lead to a public address.'],
    ['https://0x7f.1/', 'The url must lead to a public address.'],
    ['https://2130706433/', 'The url must lead to a public address.'],
    ['https://[::1]:8443/', 'The url must lead to a public address.'],
    ['https://[::ffff:127.0.0.1]/', 'The url must lead to a public address.'],
  ])('%s: %s', (url, violation) => {
    expect(strict.findUrlViolation(url)).toBe(violation);
  });

  test('the host name of a webhook is resolved and its addresses are checked', async () => {
    const violation = 'The url must lead to a public address.';
    expect(strict.findUrlViolation('https://localhost/')).toBeUndefined();
    expect(await strict.findReceiverViolation('https://localhost/')).toBe(violation);
    expect(await strict.findReceiverViolation('https://nobody.invalid/')).toBe(violation);
  });
});

describe('connections', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(() => receiver.close());

  const post = (url: string, allowPrivateAddresses: boolean, headers = {}) => {
    const ssrfGuard = new SsrfGuard({ allowHttp: true, allowPrivateAddresses });
    return postToReceiver({ url, headers, body: '{}', ssrfGuard, timeoutMs: 1_000 });
  };

  test('a webhook request that Node refuses to send is a failed attempt', async () => {
    expect(await post(receiver.url, true, { 'webhook-id': 'two\nlines' })).toEqual({
      error: 'connection_lost',
    });
  });

  test('a webhook never connects to a disallowed address, regardless of what the name resolves to', async () => {
    const byName = receiver.url.replace('127.0.0.1', 'localhost');
    const refused = { error: 'address_not_allowed' };
    const receivedBefore = receiver.received.length;
    expect([await post(byName, false), await post(receiver.url, false)]).toEqual([refused, refused]);
    expect(receiver.received).toHaveLength(receivedBefore);
    receiver.answer((_req, res) => void res.writeHead(204).end());
    expect(await post(byName, true)).toEqual({ status: 204, retryAfterMs: 0 });
  });

  test("only a small part of a receiver's response body is read", async () => {
    let sent = 0;
    let ended = false;
    receiver.answer((_req, res) => {
      const more = () => {
        while (res.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      res.on('drain', more).on('close', () => (ended = true));
      more();
    });
    expect(await post(receiver.url, true)).toEqual({ status: 200, retryAfterMs: 0 });
    await waitFor(() => ended);
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('the retry schedule', () => {
  const schedule = [5_000, 300_000];

  test('the default retry schedule follows Standard Webhooks: ten attempts within 76 hours', () => {
    const env = { WEBHOOK_ENCRYPTION_SECRET: 'a test secret, long enough' };
    const { webhookRetrySchedule: delays } = readConfig(webhookSettings, env);
    expect([delays.length, delays.reduce((sum, delay) => sum + delay, 0)]).toEqual([9, 272_105_000]);
    expect(() => readConfig(webhookSettings, { ...env, WEBHOOK_RETRY_SCHEDULE: '5s,soon' })).toThrow(
      new ConfigError(['WEBHOOK_RETRY_SCHEDULE must be a duration like 90s, 15m, 12h or 14d, but is "soon"']),
    );
  });

  test('retry delays vary by at most a tenth, and the schedule ends', () => {
    expect([delayAfter(1, schedule, 0), delayAfter(1, schedule, 0.5), delayAfter(1, schedule, 1)]).toEqual([
      4_500, 5_000, 5_500,
    ]);
    expect([delayAfter(2, schedule, 0.5), delayAfter(3, schedule, 0.5)]).toEqual([300_000, undefined]);
  });

  test.each([
    [undefined, 0],
    ['120', 120_000],
    ['Sat, 21 Nov 2026 10:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['999999999', 86_400_000],
    ['soon', 0],
    ['-5', 0],
  ])('Retry-After: %s is %i ms', (header, ms) => {
    expect(retryAfterMs(header, Date.parse('2026-11-21T10:00:00Z'))).toBe(ms);
  });

  test.each([
    [{ status: 200, retryAfterMs: 0 }, 1, { outcome: 'delivered', lastStatus: 200, lastError: null }],
    [{ status: 299, retryAfterMs: 0 }, 1, { outcome: 'delivered' }],
    [{ status: 301, retryAfterMs: 0 }, 1, { outcome: 'again', lastError: 'http_status', gone: false }],
    [{ status: 500, retryAfterMs: 0 }, 3, { outcome: 'failed', lastStatus: 500, delayMs: null }],
    [{ status: 410, retryAfterMs: 0 }, 1, { outcome: 'failed', gone: true }],
    [{ status: 503, retryAfterMs: 60_000 }, 1, { outcome: 'again', delayMs: 60_000, pauseMs: 60_000 }],
    [{ status: 500, retryAfterMs: 60_000 }, 1, { outcome: 'again', pauseMs: 0 }],
    [{ error: 'timeout' as const }, 1, { outcome: 'again', lastStatus: null, lastError: 'timeout' }],
  ])('%j as attempt %i: %j', (attempt, attempts, evaluation) => {
    expect(evaluateAttempt(attempt, attempts, schedule)).toMatchObject(evaluation);
  });
});

describe('secrets', () => {
  test('the secret of a webhook is whsec_ and 24 to 64 bytes in base64', () => {
    const written = (bytes: number) => formatSecret(Buffer.alloc(bytes, 7));
    expect([24, 32, 64].map((bytes) => parseSecret(written(bytes))?.length)).toEqual([24, 32, 64]);
    const wrong = [written(23), written(65), written(32).slice(6), `${written(32)}!`, 'whsec_', ''];
    expect(wrong.map(parseSecret)).toEqual(wrong.map(() => undefined));
  });

  test('a Standard Webhooks library verifies the signature of each of two secrets', () => {
    const body = '{"type":"x","data":{"name":"Žofie"}}';
    const secrets = [createSecret(), createSecret()];
    const headers = signedHeaders({ id: 'an-id', body, sentAt: new Date() }, secrets);
    for (const secret of secrets)
      expect(new Webhook(formatSecret(secret)).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(formatSecret(createSecret())).verify(body, headers)).toThrow();
    expect(() => new Webhook(formatSecret(secrets[0] as Buffer)).verify(`${body} `, headers)).toThrow();
  });

  test('the secret of a webhook decrypts only for its own subscription and with the right key', async () => {
    const secret = createSecret();
    const cipher = new SecretCipher('a key of the tests');
    const encrypted = await cipher.encrypt(secret, 1);
    expect(encrypted.includes(secret)).toBe(false);
    expect(await cipher.decrypt(encrypted, 1)).toEqual(secret);
    await expect(cipher.decrypt(encrypted, 2)).rejects.toThrow();
    await expect(new SecretCipher('another key of the tests').decrypt(encrypted, 1)).rejects.toThrow();
  });
});
