import { spawn } from 'node:child_process';
import { root } from './nodeProgram.js';

const print = (text) => process.stderr.write(`${text}\n`);

/** Runs a program and shows its progress: one line, and the output only of a program that fails. */
export async function runWithProgress(title, program, parameters) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const { isTTY } = process.stderr;
  if (!isTTY) print(`${title}…`);
  const ticker = isTTY && setInterval(() => process.stderr.write(`\r\x1b[K${title}… ${seconds()} s`), 1_000);
  const child = spawn(program, parameters, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => child.kill();
  process.once('exit', stop);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (status) => resolve(status ?? 1));
  });
  process.off('exit', stop);
  clearInterval(ticker);
  if (isTTY) print(`\r\x1b[K${title}: ${seconds()} s`);
  if (code !== 0) process.stderr.write(Buffer.concat(output));
  return code;
}
