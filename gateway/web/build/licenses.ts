import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

// Character maps, fonts and decoders inside packages, such as those in pdfAssets.ts, have their own licences.
const folders = ['', 'cmaps', 'standard_fonts', 'wasm', 'iccs', 'libheif-wasm'];
const isLicense = (name: string) => /^(licen[cs]e|copying|notice)/i.test(name);

const { resolve } = createRequire(import.meta.url);

/**
 * Writes `licenses.txt`: the licences of all bundled packages, which permit copies that include their text.
 * @param ofWorkers packages that only workers load; workers are bundled separately
 */
export function licenses(ofWorkers: string[]): Plugin {
  return {
    name: 'licenses',
    apply: 'build',
    generateBundle() {
      const found = new Set(ofWorkers.map((name) => dirname(resolve(`${name}/package.json`))));
      for (const id of this.getModuleIds()) {
        const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(
          id.replaceAll('\\', '/').replace('\0', ''),
        );
        if (folder) found.add(folder[0]);
      }
      const texts = [...found].map(describe).toSorted();
      this.emitFile({
        type: 'asset',
        fileName: 'licenses.txt',
        source: texts.join(`\n${'-'.repeat(80)}\n\n`),
      });
    },
  };
}

function describe(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = folders.flatMap((each) => licensesIn(join(folder, each)));
  return [`${name} ${version} (${license})\n`, ...texts].join('\n');
}

function licensesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(isLicense)
      .map((name) => readFileSync(join(folder, name), 'utf8').trim())
      .map((text) => `${text}\n`);
  } catch {
    // Most packages do not have this folder.
    return [];
  }
}
