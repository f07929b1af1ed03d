import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** The nice values of all threads of a process whose first work is a thread that lowers its priority and then reads a file. */
async function priorities(): Promise<number[]> {
  const module = fileURLToPath(new URL('../../dist/process/lowerThreadPriority.js', import.meta.url));
  // Loaded at once, because an import may start the thread pool.
  const thread = `
    const { lowerThreadPriority } = require(${JSON.stringify(module)});
    const { readFile } = require('node:fs/promises');
    const { parentPort } = require('node:worker_threads');
    parentPort.once('message', () => {});
    lowerThreadPriority().then(() => readFile('/proc/self/comm')).then(() => parentPort.postMessage('done'));`;
  const script = `
    const { readdirSync } = require('node:fs');
    const { getPriority } = require('node:os');
    const { Worker } = require('node:worker_threads');
    new Worker(${JSON.stringify(thread)}, { eval: true }).once('message', () => {
      const threads = readdirSync('/proc/self/task');
      console.log(JSON.stringify(threads.map((each) => getPriority(Number(each)))));
      process.exit();
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  return JSON.parse(stdout) as number[];
}

test('a thread lowers its own priority, and not that of the thread pool that it has started', async () => {
  const [own, ...others] = (await priorities()).toSorted((a, b) => b - a);
  expect(own).toBe(19);
  expect(others.length).toBeGreaterThan(4);
  expect(new Set(others)).toEqual(new Set([getPriority()]));
});
