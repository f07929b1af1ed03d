// Writes this collection from the bundled OpenAPI document, with Bruno's own converter. test/thirdParty/bruno installs
// the converter and runs this script. With `--check`, fails if the committed files differ.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const tools = createRequire(join(here, '../../.build/bruno/package.json'));
const { openApiToBruno } = tools('@usebruno/converters');
const bruno = tools('@usebruno/filestore');
const format = { format: 'bru' };

const document = JSON.parse(readFileSync(join(here, '../../gateway/dist/openapi.json'), 'utf8'));

/** Operations by method and address, in the converter's notation. */
const operations = new Map(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId)
      .map(([method, operation]) => [
        `${method.toUpperCase()} {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        { item, operation },
      ]),
  ),
);

const resolve = (node) =>
  node.$ref
    ? node.$ref
        .slice(2)
        .split('/')
        .reduce((parent, name) => parent[name], document)
    : node;

/** Whether an administrator may send the example at any time: it changes nothing and needs no id. */
function isSafe(method, { item, operation }) {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
  const needed = parameters.filter(({ required, schema }) => required && !resolve(schema).enum);
  const may = operation['x-roles'].some((role) => role === 'admin' || role === 'public');
  return method === 'GET' && may && needed.length === 0;
}

/** One entry per name, sent only if it is required: the examples of optional parameters would filter lists. */
function withoutOptions(entries, requiredNames) {
  const first = new Map();
  for (const entry of entries) if (!first.has(entry.name) || entry.enabled) first.set(entry.name, entry);
  return [...first.values()].map((entry) => ({ ...entry, enabled: requiredNames.has(entry.name) }));
}

function tidy(request) {
  const known = operations.get(`${request.request.method} ${request.request.url}`);
  if (!known) throw new Error(`the document has no operation for ${request.request.url}`);
  const { item, operation } = known;
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
  const required = new Set(parameters.filter((each) => each.required).map(({ name }) => name));
  const safe = isSafe(request.request.method, known);
  const isLogin = operation.operationId === 'login';
  const headers = withoutOptions(request.request.headers, required).map((header) =>
    // A key belongs to one request: a copied key would return the response to another request.
    header.name === 'Idempotency-Key' ? { ...header, value: '{{$guid}}', enabled: true } : header,
  );
  return {
    ...request,
    filename: `${operation.operationId}.bru`,
    tags: [...(request.tags ?? []), ...(safe || isLogin ? ['safe'] : [])],
    // They contain no values. The document has the responses.
    examples: [],
    request: {
      ...request.request,
      headers,
      params: withoutOptions(request.request.params, required),
      ...((safe || isLogin) && {
        assertions: [{ name: 'res.status', value: 'eq 200', enabled: true }],
      }),
      ...(isLogin && {
        body: {
          ...request.request.body,
          json: '{\n  "email": "{{email}}",\n  "password": "{{password}}"\n}',
        },
        script: { res: "bru.setEnvVar('token', res.body.access_token);" },
      }),
    },
  };
}

const variable = (name, value, secret = false) => ({ name, value, secret, enabled: true, type: 'text' });

async function* files() {
  const collection = openApiToBruno(document, { groupBy: 'tags' });
  const config = { version: '1', name: 'Gradeway', type: 'collection', ignore: ['node_modules', '.git'] };
  yield ['bruno.json', `${JSON.stringify(config, null, 2)}\n`];
  yield ['collection.bru', await bruno.stringifyCollection(collection.root, config, format)];
  const variables = [
    variable('baseUrl', 'http://127.0.0.1:8080'),
    variable('email', 'admin@gradeway.local'),
    variable('password', '', true),
    variable('token', '', true),
  ];
  yield ['environments/local.bru', bruno.stringifyEnvironment({ name: 'local', variables }, format)];
  // The login comes first.
  const folders = collection.items.toSorted(
    (one, other) => Number(other.name === 'Sessions') - Number(one.name === 'Sessions'),
  );
  for (const [index, { name, root, items }] of folders.entries()) {
    const meta = { ...root.meta, seq: index + 1 };
    yield [`${name}/folder.bru`, bruno.stringifyFolder({ ...root, meta }, format)];
    for (const item of items) {
      const request = tidy(item);
      yield [`${name}/${request.filename}`, await bruno.stringifyRequest(request, format)];
    }
  }
}

const written = new Map();
for await (const [path, text] of files()) written.set(path, `${text.trimEnd()}\n`);
const existing = globSync(['**/*.bru', 'bruno.json'], { cwd: here });
const stale = existing.filter((path) => !written.has(path));

if (process.argv.includes('--check')) {
  const changed = [...written].filter(
    ([path, text]) => !existing.includes(path) || readFileSync(join(here, path), 'utf8') !== text,
  );
  if (changed.length + stale.length > 0) {
    process.stderr.write('clients/bruno does not match the OpenAPI document: run npm run generate:bruno\n');
    process.exit(1);
  }
} else {
  for (const path of stale) rmSync(join(here, path));
  for (const [path, text] of written) {
    mkdirSync(dirname(join(here, path)), { recursive: true });
    writeFileSync(join(here, path), text);
  }
}
