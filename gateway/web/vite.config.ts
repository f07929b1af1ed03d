import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bundleBudget } from './build/bundleBudget.ts';
import { licenses } from './build/licenses.ts';
import { messages } from './build/messages.ts';
import { pdfAssets } from './build/pdfAssets.ts';
import { preloadFont } from './build/preloadFont.ts';
import { timeZone } from './build/timeZone.ts';

// The system that `npm run dev:web` talks to.
const system = process.env.SYSTEM_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [
    react(),
    messages(),
    pdfAssets(),
    preloadFont('inter-latin-wght-normal'),
    timeZone(process.env.APP_TIMEZONE ?? 'UTC'),
    licenses(['libheif-js']),
    bundleBudget([
      { name: 'first load', modules: ['web/index.html'], kilobytes: 150 },
      {
        name: 'student',
        modules: ['src/student/StudentArea.tsx', 'src/student/work/MyWorkPage.tsx'],
        kilobytes: 150,
      },
      { name: 'desk', modules: ['src/grading/desk/DeskPage.tsx'], kilobytes: 250 },
    ]),
  ],
  build: {
    outDir: 'dist',
    // A data: URL of a script or style would break the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
    // The budgets above are the limits.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    rolldownOptions: {
      output: {
        // What every page needs is two scripts and one style sheet instead of twenty files: they compress better and take fewer
        // round trips.
        codeSplitting: {
          groups: [
            { name: 'framework', tags: ['$initial'], test: /node_modules\/.*(?<!\.css)$/ },
            {
              name: 'application',
              tags: ['$initial'],
              test: /web\/src\/(?!main)|\.css$|vite\/preload-helper/,
              // What these modules import of a package may be a part of it that only other pages use.
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  // The worker that makes photos a PDF loads the library for it when the PDF is made.
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(['/api', '/session'].map((path) => [path, { target: system }])) },
});
