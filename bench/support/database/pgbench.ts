import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Figures } from '../measuring/measure.ts';

interface Options {
  databaseUrl: string;
  /** The text of a script, or of several that pgbench picks at random with equal probability. */
  scripts: string[];
  connections: number;
  seconds: number;
}

/** Runs pgbench with prepared statements, its fastest mode. An operation is one execution of a script. */
export async function runPgbench({ databaseUrl, scripts, connections, seconds }: Options): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), 'gradeway-pgbench-'));
  const files = scripts.map((text, index) => {
    const file = join(directory, `${index}.sql`);
    writeFileSync(file, text);
    return ['-f', file];
  });
  try {
    const options = ['-n', '-c', `${connections}`, '-j', '2', '-T', `${seconds}`, '-M', 'prepared'];
    const { stdout } = await promisify(execFile)('pgbench', [...options, ...files.flat(), databaseUrl], {
      maxBuffer: 16 * 1024 * 1024,
    });
    const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
    if (failed > 0) throw new Error(`transactions failed: ${stdout}`);
    const operations = Number(/number of transactions actually processed: (\d+)/.exec(stdout)?.[1]);
    const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    return { operations, seconds: operations / rate };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A pgbench script that executes statements one after another. */
export const scriptOf = (statements: string[]): string => statements.map((each) => `${each};\n`).join('');
