import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The shell commands in the sections of a document; `''` is the part before the first heading. */
export async function readCommands(document: string, sections: string[]): Promise<string> {
  const text = await readFile(`${repository}${document}`, 'utf8');
  const [introduction = '', ...others] = text.split(/^##+ /m);
  const byTitle = new Map([['', introduction], ...others.map(titled)]);
  return sections
    .map((title) => {
      const section = byTitle.get(title);
      if (section === undefined) throw new Error(`${document} has no section ${title}`);
      return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands).join('\n');
    })
    .join('\n');
}

const titled = (section: string): [string, string] => [section.slice(0, section.indexOf('\n')), section];

/**
 * Runs commands in bash as if a reader typed them, in the directory of the repository, and stops at the first one that
 * fails.
 * @param before commands that run first, such as functions that replace programs which the test cannot use
 * @returns their output
 */
export async function runInShell(commands: string, { before = '', cwd = repository } = {}): Promise<string> {
  const script = `set -e\nshopt -s expand_aliases\n${before}\n${commands}`;
  try {
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      cwd,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`the commands failed: ${stderr}\nafter:\n${stdout}`, { cause: error });
  }
}
