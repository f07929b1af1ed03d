import { expect, test } from 'vitest';
import type { KeptReceipt } from './receipt.ts';
import type { FormResponse } from './sendForm.ts';
import { Uploads, type UploadWorld } from './uploads.ts';
import type { PendingUpload } from './uploadTypes.ts';

const upload: PendingUpload = {
  id: '7.quizzes.3',
  personId: 7,
  kind: 'quizzes',
  itemId: 3,
  idempotencyKey: 'key-1',
  path: '/api/v3/quiz/submit-pdf',
  fields: {},
  fileField: 'file',
  files: [{ name: 'answers.pdf', blob: new Blob(['%PDF-']) }],
  createdAt: 1_000,
};

const answer = (status: number, fields: Partial<FormResponse> = {}): FormResponse => ({
  status,
  message: '',
  receipt: null,
  retryAfterSeconds: null,
  ...fields,
});

/** An environment in which successive attempts have these results. */
function world(ends: (FormResponse | undefined)[], changes: Partial<UploadWorld> = {}) {
  const pending = new Map<string, PendingUpload>();
  const receipts = new Map<string, KeptReceipt>();
  const sent: { key: string; token: string }[] = [];
  const waits: number[] = [];
  const all: UploadWorld = {
    store: {
      pending: async (personId) => [...pending.values()].filter((each) => each.personId === personId),
      find: async (id) => pending.get(id),
      keep: async (each) => void pending.set(each.id, each),
      remove: async (id) => void pending.delete(id),
      finish: async (id, receipt) => {
        pending.delete(id);
        receipts.set(id, receipt);
      },
      receipts: async () => [...receipts].map(([id, receipt]) => ({ id, receipt })),
      receipt: async (id) => receipts.get(id),
      removeOld: async (uploadsBefore, receiptsBefore) => {
        for (const [id, { createdAt }] of pending) if (createdAt < uploadsBefore) pending.delete(id);
        for (const [id, { keptAt }] of receipts) if (keptAt < receiptsBefore) receipts.delete(id);
      },
    },
    send: async ({ idempotencyKey: key }, token) => {
      sent.push({ key, token });
      return ends[sent.length - 1];
    },
    token: async () => 'token',
    renewToken: async () => 'another token',
    exclusively: (_name, _signal, work) => work(),
    wait: async (ms) => void waits.push(ms),
    hash: async () => 'hash',
    steadyNow: () => 0,
    now: () => 2_000,
    onEnd: () => {},
    ...changes,
  };
  return { uploads: new Uploads(all), store: all.store, pending, receipts, sent, waits };
}

test('after two lost connections an upload is sent with the same key, and its receipt is kept', async () => {
  const { uploads, pending, receipts, sent, waits } = world([undefined, undefined, answer(200)]);
  await uploads.begin(upload);
  expect(sent.map(({ key }) => key)).toEqual(['key-1', 'key-1', 'key-1']);
  expect(waits).toEqual([1_000, 2_000]);
  expect(uploads.stateOf(upload.id)).toMatchObject({ status: 'done' });
  expect(pending.size).toBe(0);
  expect(receipts.get(upload.id)?.files).toEqual([{ name: 'answers.pdf', size: 5, sha256: 'hash' }]);
});

test('an expired token is renewed immediately', async () => {
  const { uploads, sent, waits } = world([answer(401), answer(200)]);
  await uploads.begin(upload);
  expect(sent.map(({ token }) => token)).toEqual(['token', 'another token']);
  expect(waits).toEqual([]);
});

test('a rejection is shown, and nothing stays on the device', async () => {
  const { uploads, pending, sent } = world([answer(403, { message: 'QuizDurationExpired' })]);
  await uploads.begin(upload);
  expect(uploads.stateOf(upload.id)).toEqual({ status: 'refused', message: 'QuizDurationExpired' });
  expect(sent).toHaveLength(1);
  expect(pending.size).toBe(0);
});

test('unfinished uploads continue after a reload', async () => {
  const { uploads, pending, sent } = world([answer(201)]);
  pending.set(upload.id, upload);
  await uploads.resume(7);
  expect(sent).toEqual([{ key: 'key-1', token: 'token' }]);
  expect(uploads.stateOf(upload.id)?.status).toBe('done');
});

test('a two-day-old upload is not sent', async () => {
  const { uploads, pending, sent } = world([], { now: () => upload.createdAt + 48 * 3_600_000 });
  pending.set(upload.id, upload);
  await uploads.resume(7);
  expect(sent).toEqual([]);
  expect(pending.size).toBe(0);
  expect(uploads.stateOf(upload.id)?.status).toBe('refused');
});

test('an upload finished by another tab is not sent again', async () => {
  const { uploads, pending, receipts, sent } = world([], {
    exclusively: (_name, _signal, work) => {
      // The other tab finished while this one waited for the lock.
      pending.delete(upload.id);
      receipts.set(upload.id, { signed: null, content: null, files: [], keptAt: 5 });
      return work();
    },
  });
  pending.set(upload.id, upload);
  await uploads.resume(7);
  expect(sent).toEqual([]);
  expect(uploads.stateOf(upload.id)).toMatchObject({ status: 'done', receipt: { keptAt: 5 } });
});

test('a device without free storage still uploads', async () => {
  const { uploads, sent, store } = world([answer(200)]);
  store.keep = () => Promise.reject(new Error('QuotaExceededError'));
  await uploads.begin(upload);
  expect(sent).toHaveLength(1);
  expect(uploads.stateOf(upload.id)?.status).toBe('done');
});

test('a file that has changed since it was chosen is rejected', async () => {
  const { uploads, sent } = world([], { hash: () => Promise.reject(new Error('NotReadableError')) });
  await uploads.begin(upload);
  expect(sent).toEqual([]);
  expect(uploads.stateOf(upload.id)).toEqual({ status: 'refused', message: 'The file cannot be read.' });
});

test("a device keeps receipts for a year, and other users' files only as long as they can be sent", async () => {
  const day = 24 * 3_600_000;
  const now = 400 * day;
  const { uploads, pending, receipts } = world([], { now: () => now });
  const receipt = { signed: null, content: null, files: [] };
  receipts.set('7.quizzes.1', { ...receipt, keptAt: now - 370 * day });
  receipts.set('7.quizzes.2', { ...receipt, keptAt: now - 300 * day });
  pending.set('8.quizzes.3', { ...upload, id: '8.quizzes.3', personId: 8, createdAt: now - 2 * day });
  pending.set('8.quizzes.4', { ...upload, id: '8.quizzes.4', personId: 8, createdAt: now - 1_000 });
  await uploads.resume(9);
  expect([...receipts.keys()]).toEqual(['7.quizzes.2']);
  expect([...pending.keys()]).toEqual(['8.quizzes.4']);
});
