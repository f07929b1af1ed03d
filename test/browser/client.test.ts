import { startClientHost } from '@gradeway/test/client/clientHost';
import { expectJourney } from '@gradeway/test/client/expectJourney';
import { installClient } from '@gradeway/test/client/installClient';
import { journeyScene } from '@gradeway/test/client/journeyScene';
import { Fixtures } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { chromium } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { launchOptions } from './chromium.ts';

declare global {
  /** Of the page. */
  function runJourney(input: object): Promise<object>;
}

const system = inject('system');
const installed = await installClient();

test('the packed client works in a browser: an integrator logs in, lists, uploads, grades and gets errors', async () => {
  const scene = await journeyScene(new Fixtures(system));
  const library = installed.packedFiles.filter((path) => /^dist\/(?!cli).*\.js$/.test(path));
  const files = Object.fromEntries(
    library.map((path) => [`/${path}`, `${installed.folder}/node_modules/@gradeway/client/${path}`]),
  );
  const journey = new URL('../support/client/journey.js', import.meta.url).pathname;
  const host = await startClientHost(system.baseUrl, { ...files, '/journey.js': journey });
  const browser = await chromium.launch(launchOptions(inject('chromium')));
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${host.url}/page`);
  const admin = { email: system.adminEmail, password: system.adminPassword };
  const bytes = [...new Uint8Array(await (await pdf()).arrayBuffer())];
  const seen = await page.evaluate(
    async ({ bytes, ...input }) => {
      const file = new File([new Uint8Array(bytes)], 'answers.pdf', { type: 'application/pdf' });
      // Omits undefined fields, as JSON does.
      return JSON.parse(JSON.stringify(await runJourney({ ...input, file })));
    },
    { host: host.url, admin, student: scene.student, scene: scene.scene, bytes },
  );
  expectJourney(seen, scene, host, admin.email);
  expect(host.requests.map(({ path }) => path)).toContain('/dist/index.js');
});
