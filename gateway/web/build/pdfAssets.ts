import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Files that pdf.js fetches by name while rendering. The version is in the path because the names never change. */
const folders = ['cmaps', 'standard_fonts', 'wasm', 'iccs'];
const base = `assets/pdfjs-${version}/`;

/** Serves the character maps, fonts and decoders of pdf.js, and adds them to the build. `pdfAssets` is their URL. */
export function pdfAssets(): Plugin {
  return {
    name: 'pdf-assets',
    config: () => ({ define: { __PDF_ASSETS__: JSON.stringify(`/${base}`) } }),
    configureServer(server) {
      server.middlewares.use(`/${base}`, (req, res, next) => {
        const [folder, name] = (req.url ?? '').split('/').filter(Boolean);
        if (!folder || !name || !folders.includes(folder) || name.includes('..')) return next();
        res.end(readFileSync(join(root, folder, name)));
      });
    },
    generateBundle() {
      for (const folder of folders)
        for (const name of readdirSync(join(root, folder)))
          if (!name.startsWith('LICENSE'))
            this.emitFile({
              type: 'asset',
              fileName: `${base}${folder}/${name}`,
              source: readFileSync(join(root, folder, name)),
            });
    },
  };
}
