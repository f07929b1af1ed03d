import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Any object of the document. */
// biome-ignore lint/suspicious/noExplicitAny: tests verify the shape of the document
export type Node = Record<string, any>;

/** A response as the client received it. */
export interface Answer {
  method: string;
  /** The path of the request, without the query. */
  path: string;
  status: number;
  headers: Headers;
  /** The parsed value of a JSON response; for any other, only whether there is a body matters. */
  body: unknown;
}

export const openApi: Node = JSON.parse(
  readFileSync(new URL('../../gateway/dist/openapi.json', import.meta.url), 'utf8'),
);

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of the document, with the JSON pointer to it. */
export const operations = Object.entries<Node>(openApi.paths).flatMap(([template, item]) =>
  methods
    .filter((method) => method in item)
    .map((method) => ({
      template,
      method,
      operation: item[method] as Node,
      at: pointer('paths', template, method),
    })),
);

const ajv = new Ajv2020({ allErrors: true, strictTypes: false, allowUnionTypes: true });
addFormats.default(ajv);
// ajv-formats has no format for addresses with letters of any script.
ajv.addFormat('idn-email', /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/u);
// The whole document is added, so that JSON pointers lead to its schemas; its other keywords are unknown to JSON Schema.
ajv.addVocabulary(Object.keys(openApi));
ajv.addSchema(openApi, 'openapi');

/**
 * Checks a response against the OpenAPI document: its status, content type, required headers and body must be as
 * documented for the operation.
 * @throws Error that names the operation, the status and each violation
 */
export function checkResponse(answer: Answer): void {
  const { method, path, status } = answer;
  const { name, responses } = findOperation(method, path);
  const response = findResponse(responses, status);
  const violations = response
    ? [...headerViolations(answer, response), ...bodyViolations(answer, response)]
    : ['the document has no such response'];
  if (violations.length > 0)
    throw new Error(
      `${method} ${path} (${name}) returned ${status}, contrary to the document:\n- ${violations.join('\n- ')}`,
    );
}

// Sorting puts fixed segments before parameters: `{` sorts after letters.
const templates = Object.keys(openApi.paths).sort();

/** The JSON pointer to the documented responses of a request, including for unknown paths and methods. */
function findOperation(method: string, path: string): { name: string; responses: string } {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const matching = templates.filter((each) => matches(each, path));
  // A path with a fixed kind has only the operations of that kind; all other operations belong to `{kind}`.
  const template = matching.find((each) => verb in openApi.paths[each]) ?? matching[0];
  if (!template) return { name: 'unknown path', responses: '#/x-unknown-path' };
  const operation = openApi.paths[template][verb];
  if (!operation) return { name: `unknown method of ${template}`, responses: '#/x-unknown-method' };
  return { name: operation.operationId, responses: pointer('paths', template, verb, 'responses') };
}

function matches(template: string, path: string): boolean {
  const wanted = template.split('/');
  const given = path.split('/');
  return wanted.length === given.length && wanted.every((each, index) => fits(template, each, given[index]));
}

function fits(template: string, wanted: string, given = ''): boolean {
  if (!wanted.startsWith('{')) return wanted === given;
  return given !== '' && (valuesOf(template, wanted.slice(1, -1))?.includes(given) ?? true);
}

/** The enum of a path parameter, if it has one. */
export function valuesOf(template: string, parameter: string): string[] | undefined {
  const parameters: Node[] = openApi.paths[template].parameters ?? [];
  const described = parameters
    .map((each) => (each.$ref ? locate(each.$ref).node : each))
    .find(({ in: place, name }) => place === 'path' && name === parameter);
  return described?.schema.enum;
}

interface Located {
  node: Node;
  /** The JSON pointer to it, with every `$ref` followed. */
  at: string;
}

/** @throws Error when the pointer leads nowhere */
export function locate(at: string): Located {
  let node: Node | undefined = openApi;
  for (const token of at.split('/').slice(1))
    node = node?.[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  if (node === undefined) throw new Error(`the document has nothing at ${at}`);
  return node.$ref ? locate(node.$ref) : { node, at };
}

/** The JSON pointer of names. */
export function pointer(...names: string[]): string {
  return ['#', ...names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

function findResponse(responses: string, status: number): Located | undefined {
  const { node } = locate(responses);
  const key = [`${status}`, `${Math.trunc(status / 100)}XX`, 'default'].find((each) => each in node);
  return key ? locate(`${responses}/${key}`) : undefined;
}

function headerViolations({ headers }: Answer, response: Located): string[] {
  const names = Object.keys(response.node.headers ?? {});
  return names.flatMap((name) => {
    const { node, at } = locate(`${response.at}/headers/${name}`);
    const value = headers.get(name);
    if (value === null) return node.required ? [`the header ${name} is missing`] : [];
    const given = node.schema.type === 'integer' ? Number(value) : value;
    return schemaViolations(`${at}/schema`, given).map((violation) => `the header ${name}: ${violation}`);
  });
}

function bodyViolations({ method, headers, body }: Answer, response: Located): string[] {
  if (method === 'HEAD') return [];
  const { content } = response.node;
  if (!content) return isEmpty(body) ? [] : ['there should be no body'];
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (!type || !(type in content))
    return [`the content type is ${type ?? 'missing'}, not ${Object.keys(content).join(' or ')}`];
  if (type !== 'application/json') return [];
  return schemaViolations(`${response.at}/content/${type.replace('/', '~1')}/schema`, body);
}

const isEmpty = (body: unknown): boolean =>
  body === undefined || body === null || (body as string | Uint8Array).length === 0;

/** The violations of a value against the schema at a JSON pointer. */
export function schemaViolations(at: string, value: unknown): string[] {
  const validate = ajv.getSchema(`openapi${encodeURI(at)}`);
  if (!validate) throw new Error(`the document has no schema at ${at}`);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath || 'the value'} ${message} ${JSON.stringify(params)}`,
  );
}

/**
 * Checks the payload of a webhook against the document.
 * @throws Error that names each violation
 */
export function checkPayload(payload: { type: string }): void {
  const schema = ['post', 'requestBody', 'content', 'application/json', 'schema'];
  const violations = schemaViolations(pointer('webhooks', payload.type, ...schema), payload);
  if (violations.length > 0)
    throw new Error(
      `a webhook of ${payload.type} is contrary to the document:\n- ${violations.join('\n- ')}`,
    );
}
