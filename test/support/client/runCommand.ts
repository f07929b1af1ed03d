import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { childEnvironment } from '../childEnvironment.ts';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Options {
  /** A fresh home directory, which no other command uses. */
  home: string;
  env?: Record<string, string>;
  stdin?: string;
  node?: string;
}

/** Runs the installed command `gradeway`, without a terminal. */
export function runCommand(
  command: string,
  parameters: string[],
  { home, env, stdin = '', node = process.execPath }: Options,
): Promise<CommandResult> {
  const child = spawn(node, [command, ...parameters], {
    cwd: home,
    env: { ...childEnvironment, HOME: home, XDG_CONFIG_HOME: `${home}/config`, ...env },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

/** A home directory for each test of a file. */
export function useHome(): () => string {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'gradeway-home-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));
  return () => home;
}
