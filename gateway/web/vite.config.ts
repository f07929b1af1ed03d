import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bundleBudget } from './build/bundleBudget.ts';
import { licenses } from './build/licenses.ts';
import { messages } from './build/messages.ts';
import { pdfAssets } from './build/pdfAssets.ts';
import { preloadFont } from './build/preloadFont.ts';
import { timeZone } from './build/timeZone.ts';

// The system that `npm run dev:web` connects to.
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
      { name: 'first load', modules: ['web/index.html', 'src/login/LoginPage.tsx'], kilobytes: 150 },
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
    // Vite's default of this version, written down so that an update does not drop a browser: README.md names them.
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4', 'ios16.4'],
    // `data:` URLs of scripts or styles would violate the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
    // The budgets above are the limits.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    rolldownOptions: {
      output: {
        // Bundles what every page needs into two scripts and one style sheet instead of twenty files, which compresses
        // better and takes fewer round trips.
        codeSplitting: {
          groups: [
            { name: 'framework', tags: ['$initial'], test: /node_modules\/.*(?<!\.css)$/ },
            {
              name: 'application',
              tags: ['$initial'],
              test: /web\/src\/(?!main)|\.css$|vite\/preload-helper/,
              // Otherwise the group would include parts of packages that only other pages use.
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  // The worker that turns photos into a PDF loads the PDF library on demand.
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(['/api', '/session'].map((path) => [path, { target: system }])) },
});
