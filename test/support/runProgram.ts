import { type ChildProcess, spawn } from 'node:child_process';

/** Runs a Node.js program with only the given environment. `output` is what it wrote to standard output and error. */
export function runProgram(
  parameters: string[],
  env: NodeJS.ProcessEnv,
  onStart: (child: ChildProcess) => void = () => {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, parameters, { env: { PATH: process.env.PATH, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('close', (code) => resolve({ code, output }));
    onStart(child);
  });
}
