import { createUrlSigner } from '@gradeway/shared/files/signedUrl';
import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
let urls: [string, string];
let bytes: Buffer;
beforeAll(async () => {
  homework = await startHomeworkService({ PUBLIC_URL: 'https://school.example/' });
  const { classId, student } = await homework.setUp();
  const { files, download_url } = await homework.submitted(classId, student, ['Übung.pdf', 'b.pdf']);
  expect(download_url).toMatch(/^https:\/\/school\.example\/api\/v3\/assignments\/download\/\d+$/);
  urls = files.map(({ url }) => url.replace('https://school.example', homework.service.url)) as typeof urls;
  bytes = Buffer.from(await homework.pdf.arrayBuffer());
});
afterAll(() => homework.close());

const open = (url: string, headers?: Record<string, string>) =>
  createHttpClient({ baseUrl: '' }).get(url, headers);

test('a file URL starts with PUBLIC_URL and opens without a token, with the original name', async () => {
  const answer = await open(urls[0]);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(bytes);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%9Cbung.pdf");
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toContain('sandbox');
});

describe('a Range request', () => {
  test.each([
    ['bytes=0-9', 206, [0, 10]],
    ['bytes=10-', 206, [10]],
    ['bytes=-5', 206, [-5]],
  ] as const)(
    'a Range request for %s returns that part',
    async (range, status, [start, end]: readonly number[]) => {
      const answer = await open(urls[0], { range });
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual(bytes.subarray(start, end));
    },
  );

  test('a Range request beyond the end of a file returns 416', async () => {
    const answer = await open(urls[0], { range: 'bytes=99999999-' });
    expect(answer.status).toBe(416);
    expect(answer.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
  });
});

describe('a file URL is refused with 403', () => {
  const idOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? '';
  const signedWith = (options: { secret?: string; purpose?: string; ttlMs?: number }) => {
    const own = { secret: 'a test secret for files', purpose: 'homework file', ttlMs: 60_000 };
    const signer = createUrlSigner({ ...own, ...options });
    return `${urls[0].split('?')[0]}?${signer.query(idOf(urls[0]))}`;
  };

  test('a file URL that the test signs like the service is accepted', async () => {
    expect((await open(signedWith({}))).status).toBe(200);
  });

  test.each<[string, () => string]>([
    ['when it was altered', () => urls[0].replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['when its expiry was altered', () => urls[0].replace(/expires=\d/, 'expires=9')],
    [
      'when it was issued for another file',
      () => urls[0].replace(/files\/homework\/\d+/, `files/homework/${idOf(urls[1])}`),
    ],
    ['when it has expired', () => signedWith({ ttlMs: -10_000 })],
    ['when it was issued for another service', () => signedWith({ purpose: 'quiz file' })],
    ['when it was signed with another key', () => signedWith({ secret: 'another secret, as long' })],
    ['with another parameter', () => `${urls[0]}&x=1`],
    ['with an empty parameter', () => `${urls[0]}&`],
    ['with a parameter twice', () => `${urls[0]}&${urls[0].split('?')[1]?.split('&')[0]}`],
    ['with its parameters in another order', () => urls[0].replace(/\?(.*)&(.*)/, '?$2&$1')],
    ['with an encoded parameter', () => urls[0].replace('expires', 'e%78pires')],
    [
      'with an encoded signature',
      () => urls[0].replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`),
    ],
    ['with a zero before its expiry', () => urls[0].replace('expires=', 'expires=0')],
    ['with an encoded id', () => urls[0].replace(/homework\/(\d)/, (_, digit) => `homework/%3${digit}`)],
    ['with another spelling of its path', () => urls[0].replace('/api/v3/files', '/API/v3/files')],
    ['without a signature', () => urls[0].split('?')[0] ?? ''],
  ])('%s', async (_, url) => {
    const answer = await open(url());
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ message: 'Unauthorized Access', errors: null });
  });
});
