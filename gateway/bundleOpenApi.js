// Bundles the OpenAPI document from its parts into dist/openapi.json, and writes dist/asyncapi.json. Plain JavaScript: it is
// a step of the build.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { createAsyncApi } from './dist/openapi/asyncApi.js';
import { completeOpenApi } from './dist/openapi/completeOpenApi.js';
import { routeTable } from './dist/routing/routeTable.js';

const here = dirname(fileURLToPath(import.meta.url));
const readYaml = (path) => parse(readFileSync(path, 'utf8'));

/** A part is a separate OpenAPI document, beside the routes that it describes. */
const parts = [
  'src/openapi/openapi.yaml',
  ...globSync(['../services/*/src/**/openapi.yaml', '../shared/src/**/openapi.yaml'], { cwd: here }).sort(),
];

/** Adds a reference to each path, webhook and extension (`x-…`) of the parts. */
function addParts(document) {
  for (const part of parts) {
    const path = join(here, part);
    const { paths = {}, webhooks = {}, ...others } = readYaml(path);
    const extensions = Object.keys(others).filter((name) => name.startsWith('x-'));
    addReferences(document.paths, Object.keys(paths), `${path}#/paths/`);
    addReferences(document.webhooks, Object.keys(webhooks), `${path}#/webhooks/`);
    addReferences(document, extensions, `${path}#/`);
  }
}

function addReferences(section, names, target) {
  for (const name of names) {
    if (name in section) throw new Error(`two parts describe ${name}; the second is ${target}`);
    section[name] = { $ref: target + name.replaceAll('~', '~0').replaceAll('/', '~1') };
  }
}

/** The document as JSON text, with the targets of its references as components. */
function bundle(document) {
  const directory = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const root = join(directory, 'openapi.json');
    writeFileSync(root, JSON.stringify(document));
    const cli = fileURLToPath(new URL('bin/cli.js', import.meta.resolve('@redocly/cli/package.json')));
    // By default the second of two components with the same name would be renamed.
    const options = ['--ext=json', '--component-renaming-conflicts-severity=error'];
    return execFileSync(process.execPath, [cli, 'bundle', root, ...options], {
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
addParts(document);
const bundled = JSON.parse(bundle(document));
completeOpenApi(bundled, routeTable);
mkdirSync(join(here, 'dist'), { recursive: true });
// Without indentation, since the gateway serves the files as they are.
writeFileSync(join(here, 'dist/openapi.json'), JSON.stringify(bundled));
writeFileSync(join(here, 'dist/asyncapi.json'), JSON.stringify(createAsyncApi(bundled)));
