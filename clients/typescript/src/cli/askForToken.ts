import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Misuse } from './failures.ts';

/** The token that the user types without echo, or that is piped to the command. */
export async function askForToken(): Promise<string> {
  const token = (process.stdin.isTTY ? await ask('Token (not shown): ') : await text(process.stdin)).trim();
  if (!token)
    throw new Misuse('There is no token: type it, pipe it to gradeway login, or set GRADEWAY_TOKEN.');
  if (!/^[\w.~+/=-]+$/.test(token))
    throw new Misuse('This is not a token: it contains characters that no token has.');
  return token;
}

async function ask(question: string): Promise<string> {
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: noEcho, terminal: true });
  // The terminal echoes input until the interface exists.
  process.stderr.write(question);
  // Ctrl-C and Ctrl-D cancel the prompt.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(''), closed]);
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
