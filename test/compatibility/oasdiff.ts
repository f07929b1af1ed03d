import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Document } from './documents.ts';

const builder = fileURLToPath(new URL('../thirdParty/oasdiff', import.meta.url));

/** The changes from one OpenAPI document to another that break clients, one per line. */
export function breakingChanges(released: Document, current: Document): string[] {
  const program = execFileSync(builder, { encoding: 'utf8' }).trim();
  const directory = mkdtempSync(join(tmpdir(), 'oasdiff-'));
  try {
    const files = Object.entries({ released, current }).map(([name, document]) => {
      const file = join(directory, `${name}.json`);
      writeFileSync(file, JSON.stringify(document));
      return file;
    });
    const options = ['--format', 'json', '--allow-external-refs=false'];
    const output = execFileSync(program, ['breaking', ...files, ...options], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return (JSON.parse(output || '[]') as Change[])
      .filter(({ level }) => level === error)
      .map(({ id, operation, path, text }) => `${operation} ${path}: ${text} [${id}]`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

interface Change {
  id: string;
  /** 2 for a warning: clients must expect new values of an enum, for example (docs/api-policy.md). */
  level: number;
  operation: string;
  path: string;
  text: string;
}

const error = 3;
