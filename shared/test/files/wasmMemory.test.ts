import { expect, test } from 'vitest';
import { LimitedMemory, type WasmMemory } from '../../src/files/wasmMemory.ts';

declare const WebAssembly: { Memory: new (size: { initial: number }) => WasmMemory };

const page = 64 * 1024;
const newMemory = (initial = 4, most = 8) => {
  const memory = new WebAssembly.Memory({ initial });
  return { memory, limited: new LimitedMemory(memory, most * page) };
};

test('every byte of the memory is restored, whatever was written', () => {
  const { memory, limited } = newMemory();
  const bytes = () => Buffer.from(memory.buffer);
  bytes().write('as recorded', page + 10);
  limited.record();
  const recorded = Buffer.from(bytes());
  for (const at of [0, page + 10, 2 * page, 4 * page - 1]) bytes().writeUInt8(7, at);
  expect(limited.restore()).toBe(true);
  expect(bytes().equals(recorded)).toBe(true);
  bytes().fill(255);
  expect(limited.restore()).toBe(true);
  expect(bytes().equals(recorded)).toBe(true);
});

test('a memory that has grown is not restored', () => {
  const { memory, limited } = newMemory();
  limited.record();
  memory.grow(1);
  expect(limited.restore()).toBe(false);
});

test('a memory does not grow beyond its limit', () => {
  const { memory, limited } = newMemory();
  memory.grow(4);
  expect([limited.bytes, limited.refused]).toEqual([8 * page, false]);
  expect(() => memory.grow(1)).toThrow('limit');
  expect([limited.bytes, limited.refused]).toEqual([8 * page, true]);
});
