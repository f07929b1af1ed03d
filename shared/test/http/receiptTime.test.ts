import { expect, test } from 'vitest';
import { signReceiptTime, verifyReceiptTime } from '../../src/http/receiptTime.ts';

const requestId = '3f2b8c1e-0000-4000-8000-000000000001';
const [key, retiredKey, foreignKey] = ['k'.repeat(20), 'r'.repeat(20), 'f'.repeat(20)];
const keys = [key, retiredKey];
const arrivedAt = Date.UTC(2026, 10, 24, 12, 0, 0);

const verify = (header: string | undefined) => verifyReceiptTime(header, { requestId, keys, arrivedAt });

test.each([key, retiredKey])(
  'the receipt time signed by the gateway applies, with each shared key',
  (each) => {
    expect(verify(signReceiptTime(arrivedAt - 9_000, requestId, each))).toBe(arrivedAt - 9_000);
  },
);

test('a gateway clock that runs ahead does not make a request later than its arrival', () => {
  expect(verify(signReceiptTime(arrivedAt + 3_000, requestId, key))).toBe(arrivedAt);
});

test.each([
  ['no header', undefined],
  ['no signature', String(arrivedAt - 9_000)],
  ['the signature of another process', signReceiptTime(arrivedAt - 9_000, requestId, foreignKey)],
  ['the header of another request', signReceiptTime(arrivedAt - 9_000, requestId.replace('1', '2'), key)],
  [
    'a time other than the signed one',
    signReceiptTime(arrivedAt, requestId, key).replace(String(arrivedAt), String(arrivedAt - 9_000)),
  ],
  ['a time more than two minutes ago', signReceiptTime(arrivedAt - 120_001, requestId, key)],
])('a request with %s was received when it arrived', (_, header) => {
  expect(verify(header)).toBeUndefined();
});
