import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface BuiltApplication {
  directory: string;
  write(path: string, content: string | Uint8Array): Promise<void>;
  remove(): Promise<void>;
}

const script = (name: string) => `export const ${name} = [${`"${name}",`.repeat(500)}];\n`;

export const indexPage = `<!doctype html><meta name="time-zone" content="UTC"><title>Gradeway</title><div id="root"></div>${'<!-- -->'.repeat(100)}`;

/** The files of a small web application in a temporary directory, with every kind of file that a build contains. */
export async function buildApplication(): Promise<BuiltApplication> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-web-'));
  async function write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  await write('index.html', indexPage);
  await write('assets/index-Ab3dE6.js', script('index'));
  await write('assets/pdf.worker-Ab3dE6.mjs', script('worker'));
  await write('assets/index-Ab3dE6.css', `.a{color:red}${'.b{color:blue}'.repeat(100)}`);
  await write('assets/openjpeg-Ab3dE6.wasm', Buffer.alloc(2_000, 'wasm'));
  await write('assets/inter-Ab3dE6.woff2', Buffer.alloc(2_000, 'font'));
  await write('cmaps/78-EUC-H.bcmap', Buffer.alloc(2_000, 'cmap'));
  await write('fonts/FoxitSans.pfb', Buffer.alloc(2_000, 'pfb'));
  await write('locales/ar.json', JSON.stringify({ hello: 'مرحبا'.repeat(200) }));
  await write('icon.svg', `<svg xmlns="http://www.w3.org/2000/svg">${'<g/>'.repeat(200)}</svg>`);
  await write('favicon.ico', Buffer.alloc(100));
  await write('Notes of a build.txt', 'short');
  await write('.vite/manifest.json', '{"secret":true}');
  return { directory, write, remove: () => rm(directory, { recursive: true }) };
}
