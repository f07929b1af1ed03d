import { BufferCollector } from '@gradeway/shared/v8/bufferCollector';
import { countedBuffers } from '@gradeway/test/countedBuffers';
import { expect, test } from 'vitest';
import { ForwardedBuffers } from '../src/forwarding/forwardedBuffers.ts';

const kibibyte = 1024;
const mebibyte = 1024 * 1024;

function forward(buffers: ForwardedBuffers, { count, bytes }: { count: number; bytes: number }): void {
  for (let index = 0; index < count; index += 1) {
    buffers.hold(bytes);
    buffers.release(bytes);
  }
}

test('buffers are counted for the collector', async () => {
  const buffers = new ForwardedBuffers();
  const counted = await countedBuffers(BufferCollector, () =>
    forward(buffers, { count: 12, bytes: mebibyte }),
  );
  expect(counted).toBe(12 * mebibyte);
});

test('small buffers are left to V8', async () => {
  const buffers = new ForwardedBuffers();
  expect(
    await countedBuffers(BufferCollector, () => forward(buffers, { count: 12 * kibibyte, bytes: kibibyte })),
  ).toBe(0);
});

test('counting pauses while more than 4 MiB are held', async () => {
  const buffers = new ForwardedBuffers();
  buffers.hold(5 * mebibyte);
  expect(await countedBuffers(BufferCollector, () => forward(buffers, { count: 12, bytes: mebibyte }))).toBe(
    0,
  );
  buffers.release(5 * mebibyte);
  expect(await countedBuffers(BufferCollector, () => forward(buffers, { count: 1, bytes: mebibyte }))).toBe(
    mebibyte,
  );
});
