import { requestedYoungCollections } from '@gradeway/test/requestedCollections';
import { expect, test } from 'vitest';
import { ForwardedBuffers } from '../src/forwardedBuffers.ts';

const mebibyte = 1024 * 1024;

test('buffers that are released are collected after every 4 MiB', async () => {
  const buffers = new ForwardedBuffers();
  const collections = await requestedYoungCollections(() => {
    for (let count = 0; count < 12; count += 1) {
      buffers.hold(mebibyte);
      buffers.release(mebibyte);
    }
  });
  expect(collections).toBe(3);
});

test('small buffers are left to V8', async () => {
  const buffers = new ForwardedBuffers();
  const collections = await requestedYoungCollections(() => {
    for (let count = 0; count < 12 * 1024; count += 1) {
      buffers.hold(1_024);
      buffers.release(1_024);
    }
  });
  expect(collections).toBe(0);
});

test('nothing is collected while more than 4 MiB are held, and again after their release', async () => {
  const buffers = new ForwardedBuffers();
  buffers.hold(5 * mebibyte);
  const whileHeld = await requestedYoungCollections(() => {
    for (let count = 0; count < 12; count += 1) {
      buffers.hold(mebibyte);
      buffers.release(mebibyte);
    }
  });
  expect(whileHeld).toBe(0);
  buffers.release(5 * mebibyte);
  expect(await requestedYoungCollections(() => buffers.hold(4 * mebibyte))).toBe(1);
});
