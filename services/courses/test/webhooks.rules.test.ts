import { ConfigError, readConfig } from '@gradeway/shared/config/readConfig';
import { type Receiver, startReceiver } from '@gradeway/test/receiver';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluateAttempt } from '../src/webhooks/domain/evaluateAttempt.ts';
import { isAllowedAddress } from '../src/webhooks/domain/publicAddress.ts';
import { delayAfter, retryAfterMs } from '../src/webhooks/domain/retrySchedule.ts';
import { createSecret, readSecret, signedHeaders, writeSecret } from '../src/webhooks/domain/signature.ts';
import { postToReceiver } from '../src/webhooks/sending/postToReceiver.ts';
import { SecretRing } from '../src/webhooks/sending/secretRing.ts';
import { SsrfGuard } from '../src/webhooks/sending/ssrfGuard.ts';
import { webhookSettings } from '../src/webhooks/settings.ts';

describe('addresses', () => {
  test.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:4700::1111'])('%s is public', (address) => {
    expect([isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([true, true]);
  });

  test.each([
    ...['127.0.0.1', '127.255.0.9', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
    ...['::1', 'fc00::1', 'fd12:3456::1'],
  ])('%s is private, and allowed where private ones are', (address) => {
    expect([isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([false, true]);
  });

  test.each([
    ...[
      '169.254.169.254',
      '0.0.0.0',
      '0.1.2.3',
      '255.255.255.255',
      '224.0.0.1',
      '239.255.255.250',
      '240.0.0.1',
    ],
    ...['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
    ...['::', 'fe80::1', 'fec0::1', 'ff02::1', '2001:db8::1', '100::1', '5f00::1', '3fff::1'],
    // An IPv4 address in an IPv6 one: mapped, compatible, NAT64, its local prefix, 6to4, Teredo.
    ...[
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '2002:7f00:1::',
    ],
    ...['2001::1', '::ffff:0:127.0.0.1', 'fe80::1%eth0', 'localhost', '', '1.2.3'],
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
    // Every way to write 127.0.0.1 is one to the URL parser.
    ['https://127.0.0.1/', 'The url must lead to a public address.'],
    ['https://0x7f.1/', 'The url must lead to a public address.'],
    ['https://2130706433/', 'The url must lead to a public address.'],
    ['https://[::1]:8443/', 'The url must lead to a public address.'],
    ['https://[::ffff:127.0.0.1]/', 'The url must lead to a public address.'],
  ])('%s: %s', (url, complaint) => {
    expect(strict.complaintAbout(url)).toBe(complaint);
  });

  test('a name is asked where it leads', async () => {
    const complaint = 'The url must lead to a public address.';
    expect(strict.complaintAbout('https://localhost/')).toBeUndefined();
    expect(await strict.complaintAboutReceiver('https://localhost/')).toBe(complaint);
    expect(await strict.complaintAboutReceiver('https://nobody.invalid/')).toBe(complaint);
  });
});

describe('a connection', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  const post = (url: string, allowPrivateAddresses: boolean, headers = {}) => {
    const rule = new SsrfGuard({ allowHttp: true, allowPrivateAddresses });
    return postToReceiver({ url, headers, body: '{}', rule, timeoutMs: 1_000 });
  };

  test('that cannot even be begun is an attempt that failed', async () => {
    expect(await post(receiver.url, true, { 'webhook-id': 'two\nlines' })).toEqual({
      error: 'connection_lost',
    });
  });

  test('goes to no address that is not allowed, wherever its name leads by then', async () => {
    const byName = receiver.url.replace('127.0.0.1', 'localhost');
    const refused = { error: 'address_not_allowed' };
    expect([await post(byName, false), await post(receiver.url, false)]).toEqual([refused, refused]);
    expect(receiver.received).toEqual([]);
    expect(await post(byName, true)).toEqual({ status: 204, retryAfterMs: 0 });
  });

  test('reads little of an answer, however much there is', async () => {
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
    await expect.poll(() => ended, { timeout: 3_000 }).toBe(true);
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('the schedule', () => {
  const schedule = [5_000, 300_000];

  test('is that of Standard Webhooks unless it is set: ten attempts within 76 hours', () => {
    const env = { WEBHOOK_ENCRYPTION_SECRET: 'a secret of the tests' };
    const { webhookRetrySchedule: delays } = readConfig(webhookSettings, env);
    expect([delays.length, delays.reduce((sum, delay) => sum + delay, 0)]).toEqual([9, 272_105_000]);
    expect(() => readConfig(webhookSettings, { ...env, WEBHOOK_RETRY_SCHEDULE: '5s,soon' })).toThrow(
      new ConfigError(['WEBHOOK_RETRY_SCHEDULE must be a duration like 90s, 15m, 12h or 14d, but is "soon"']),
    );
  });

  test('is kept to within a tenth, and has an end', () => {
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
  ])('%j as attempt %i: %j', (attempt, attempts, verdict) => {
    expect(evaluateAttempt(attempt, attempts, schedule)).toMatchObject(verdict);
  });
});

describe('secrets', () => {
  test('are whsec_ and 24 to 64 bytes of base64', () => {
    const written = (bytes: number) => writeSecret(Buffer.alloc(bytes, 7));
    expect([24, 32, 64].map((bytes) => readSecret(written(bytes))?.length)).toEqual([24, 32, 64]);
    const wrong = [written(23), written(65), written(32).slice(6), `${written(32)}!`, 'whsec_', ''];
    expect(wrong.map(readSecret)).toEqual(wrong.map(() => undefined));
  });

  test('sign so that the receivers of Standard Webhooks believe it, each of two by itself', () => {
    const body = '{"type":"x","data":{"name":"Žofie"}}';
    const secrets = [createSecret(), createSecret()];
    const headers = signedHeaders({ id: 'an-id', body, sentAt: new Date() }, secrets);
    for (const secret of secrets)
      expect(new Webhook(writeSecret(secret)).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(writeSecret(createSecret())).verify(body, headers)).toThrow();
    expect(() => new Webhook(writeSecret(secrets[0] as Buffer)).verify(`${body} `, headers)).toThrow();
  });

  test('open for their own subscription and with the right key only', async () => {
    const secret = createSecret();
    const ring = new SecretRing('a key of the tests');
    const sealed = await ring.seal(secret, 1);
    expect(sealed.includes(secret)).toBe(false);
    expect(await ring.open(sealed, 1)).toEqual(secret);
    await expect(ring.open(sealed, 2)).rejects.toThrow();
    await expect(new SecretRing('another key of the tests').open(sealed, 1)).rejects.toThrow();
  });
});
