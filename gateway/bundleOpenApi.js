// Bundles the OpenAPI document from its parts into gateway/dist/openapi.json. Plain JavaScript: it is a step of the build.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const here = dirname(fileURLToPath(import.meta.url));
const readYaml = (path) => parse(readFileSync(path, 'utf8'));

/** A part is an OpenAPI document of its own, beside the routes that it describes. */
const parts = [
  'src/openapi/openapi.yaml',
  ...globSync('../services/*/src/**/openapi.yaml', { cwd: here }).sort(),
];

/** The document, with a reference for each path, webhook and extension (`x-…`) of a part. */
function referenceParts(document) {
  for (const path of parts.map((part) => join(here, part))) {
    const { paths = {}, webhooks = {}, ...others } = readYaml(path);
    refer(document.paths, Object.keys(paths), `${path}#/paths/`);
    refer(document.webhooks, Object.keys(webhooks), `${path}#/webhooks/`);
    refer(
      document,
      Object.keys(others).filter((name) => name.startsWith('x-')),
      `${path}#/`,
    );
  }
  return document;
}

function refer(section, names, at) {
  for (const name of names) {
    if (section[name]) throw new Error(`${name} is described by two parts; the second is ${at}`);
    section[name] = { $ref: at + name.replaceAll('~', '~0').replaceAll('/', '~1') };
  }
}

/** The document as JSON text, with everything that the references lead to. */
function bundle(document) {
  const directory = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const root = join(directory, 'openapi.json');
    writeFileSync(root, JSON.stringify(document));
    const cli = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
    // By default the second of two components with the same name would be renamed.
    const options = ['--ext=json', '--component-renaming-conflicts-severity=error'];
    return execFileSync(process.execPath, [join(dirname(cli), 'bin/cli.js'), 'bundle', root, ...options], {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      maxBuffer: 16 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw new Error(`Redocly could not bundle the document:\n${error.stderr ?? error}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const document = { ...readYaml(join(here, 'src/openapi/document.yaml')), paths: {}, webhooks: {} };
const text = bundle(referenceParts(document));
mkdirSync(join(here, 'dist'), { recursive: true });
// Without the indentation: the gateway serves the file as it is.
writeFileSync(join(here, 'dist/openapi.json'), JSON.stringify(JSON.parse(text)));
