// Bundles the OpenAPI document and its parts into gateway/dist/openapi.json. Plain JavaScript: it is a step of the build.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const redocly = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
);
const output = join(here, 'dist/openapi.json');

// By default the second of two different components with the same name would be renamed.
const options = [`--output=${output}`, '--component-renaming-conflicts-severity=error'];
try {
  execFileSync(process.execPath, [redocly, 'bundle', join(here, 'src/openapi/openapi.yaml'), ...options], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
} catch (error) {
  process.stderr.write(error.stderr ?? `${error}\n`);
  process.exit(1);
}
// Served as it is, so without the indentation.
writeFileSync(output, JSON.stringify(JSON.parse(readFileSync(output, 'utf8'))));
