// npm run screenshots: takes the screenshots in the documentation. Plain JavaScript, so that it runs before the build.
import { spawnSync } from 'node:child_process';
import { installAndBuild } from '../../local/installAndBuild.js';
import { nodeProgram, root } from '../../local/nodeProgram.js';

const help = `npm run screenshots [-- NAME …]: takes the screenshots in the documentation, or the named
ones: table, desk, student, account, serviceAccounts, roster, mailGraded, mailPublished, mailDigest, mailDigestArabic

It starts a system with the demo school on a free port and with separate data, opens it in Chromium, renders messages that
its mail server receives, and writes docs/images/NAME.png.

  CHROME   the browser (default: /usr/bin/chromium-headless-shell, chromium, chromium-browser or google-chrome)`;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}

await installAndBuild();
const script = 'test/screenshots/takeScreenshots.ts';
const { status } = spawnSync(nodeProgram(), [script, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
