import { execFile } from 'node:child_process';
import { access, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const tools = fileURLToPath(new URL('../../.build/tools/', import.meta.url));
const source = 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1';

/** Renders the kustomization of a folder as YAML. */
export type Kustomize = (folder: string) => Promise<string>;

/**
 * Finds kubectl or kustomize, and otherwise installs kustomize with Go.
 * @throws Error that names these programs when none is available
 */
export async function findKustomize(): Promise<Kustomize> {
  const candidates: [string, ...string[]][] = [
    ['kubectl', 'kustomize'],
    ['kustomize', 'build'],
    [`${tools}kustomize`, 'build'],
  ];
  for (const [program, ...parameters] of candidates)
    if (await runs(program, parameters)) return (folder) => render(program, [...parameters, folder]);
  await install();
  return (folder) => render(`${tools}kustomize`, ['build', folder]);
}

const runs = (program: string, parameters: string[]): Promise<boolean> =>
  run(program, [...parameters, '--help']).then(
    () => true,
    () => false,
  );

async function render(program: string, parameters: string[]): Promise<string> {
  const { stdout, stderr } = await run(program, parameters, { maxBuffer: 64 * 1024 * 1024 });
  // A kustomize warning announces an error in a later version.
  if (stderr.trim() !== '') throw new Error(stderr);
  return stdout;
}

async function install(): Promise<void> {
  await mkdir(tools, { recursive: true });
  const startedAt = Date.now();
  const showProgress = () =>
    process.stderr.write(`Installing kustomize with Go… ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
  showProgress();
  const ticker = setInterval(showProgress, 5_000);
  try {
    await run('go', ['install', source], { env: { ...process.env, GOBIN: tools } });
    await access(`${tools}kustomize`);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'Go is not installed' : String(error);
    throw new Error(`The manifest tests need kubectl, kustomize, or Go to install kustomize: ${reason}`);
  } finally {
    clearInterval(ticker);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await findKustomize().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
