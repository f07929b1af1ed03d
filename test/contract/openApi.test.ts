import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { routeTable } from '../../gateway/src/routing/routeTable.ts';
import { roles } from '../../shared/src/auth/roles.ts';
import { errorCodes } from '../../shared/src/errors/errorCodes.ts';
import {
  type Answer,
  checkResponse,
  locate,
  type Node,
  openApi,
  operations,
  pointer,
  schemaViolations,
  valuesOf,
} from '../support/openApi.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every object in the document, with the JSON pointer to it. */
function* nodesBelow(at: string, node: unknown): Generator<{ at: string; node: Node }> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield { at, node };
  for (const [name, child] of Object.entries(node))
    yield* nodesBelow(`${at}${pointer(name).slice(1)}`, child);
}

const nodes = [...nodesBelow('#', openApi)];

const answers = operations.flatMap(({ template, method, operation, at }) =>
  Object.keys(operation.responses).map((status) => ({
    name: `${method} ${template} ${status}`,
    status: Number(status),
    answer: locate(`${at}/responses/${status}`).node,
  })),
);

/** The OpenAPI documents that the document is bundled from. */
const parts = globSync(['gateway/src/openapi/*.yaml', '{services/*,shared}/src/**/openapi.yaml'], {
  cwd: root,
}).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

describe('the document', () => {
  test('the document is OpenAPI 3.1 and all of its references resolve', () => {
    expect(openApi.openapi).toMatch(/^3\.1\.\d$/);
    const references = nodes.filter(({ node }) => typeof node.$ref === 'string');
    expect(references.length).toBeGreaterThan(100);
    for (const { node } of references) expect(() => locate(node.$ref)).not.toThrow();
  });

  test('every schema compiles', () => {
    const schemas = [
      ...nodes.filter(({ node }) => typeof node.schema === 'object').map(({ at }) => `${at}/schema`),
      ...Object.keys(openApi.components.schemas).map((name) => pointer('components', 'schemas', name)),
    ];
    for (const at of schemas) expect(() => schemaViolations(at, null), at).not.toThrow();
  });

  test('every component is used', () => {
    const used = new Set(nodes.map(({ node }) => node.$ref));
    for (const at of componentsOf(openApi)) expect(used).toContain(at);
  });

  // The bundle leaves them out.
  test.each(parts)('$path defines no unused component', ({ path, text }) => {
    const others = parts.filter((part) => part.path !== path).map((part) => part.text);
    for (const at of componentsOf(parse(text)))
      expect(
        text.includes(`"${at}"`) ||
          others.some((other) => other.includes(`openapi.yaml${at}"`) || other.includes(`common.yaml${at}"`)),
        at,
      ).toBe(true);
  });

  test('every operation has a unique id, a known tag, a summary and a successful response', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = openApi.tags.map(({ name }: { name: string }) => name);
    for (const { operation, template } of operations) {
      expect(operation.operationId, template).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.summary, template).toBeTruthy();
      expect(operation.tags, template).toHaveLength(1);
      expect(tags, template).toContain(operation.tags[0]);
      expect(Object.keys(operation.responses), template).toContainEqual(
        expect.stringMatching(/^(2\d\d|303)$/),
      );
    }
  });

  test('every path declares exactly its path parameters', () => {
    for (const [template, { parameters = [] }] of Object.entries<Node>(openApi.paths)) {
      const declared = parameters.map((_: unknown, index: number) =>
        locate(`${pointer('paths', template, 'parameters')}/${index}`),
      );
      const names = declared.map(({ node }: { node: Node }) => node.in === 'path' && node.name);
      const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(names, template).toEqual(inPath);
    }
  });

  test('the document describes exactly the routes of the gateway', () => {
    const ofTheGatewayItself = [
      'get /api/v3/openapi.json',
      'get /api/v3/asyncapi.json',
      'get /docs',
      'get /livez',
      'get /readyz',
      'post /session',
      'delete /session',
      'post /session/refresh',
      'post /session/sso',
      'get /session/sso/{}',
      'get /session/sso/{}/callback',
      'get /session/sso/{}/logout',
    ];
    const routed = routeTable.map(
      ({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:\w+/g, '{}')}`,
    );
    const described = operations.flatMap(({ method, template }) =>
      positions(template).map((path) => `${method} ${path}`),
    );
    expect(new Set(described)).toEqual(new Set([...routed, ...ofTheGatewayItself]));
  });

  test('the document marks the operations that need no token', () => {
    const open = operations.filter(({ operation }) => operation.security?.length === 0);
    const openPaths = new Set(open.flatMap(({ template }) => positions(template)));
    const routed = routeTable.filter((route) => route.open).map(({ path }) => path.replaceAll(/:\w+/g, '{}'));
    // The gateway leaves the token of a refresh to auth, which also accepts an expired one (D12).
    for (const path of routed) expect(openPaths.has(path), path).toBe(path !== '/api/v3/token/refresh');
    for (const { operation } of operations) {
      const needsToken = !open.some((each) => each.operation === operation);
      // A file of any other service is an unknown path (D2). The sessions of browsers use a cookie instead of a
      // token.
      const mayBeRefused =
        /^(login(WithCode)?$|(open|refresh)Session(BySecondFactor)?$|read(Annotated)?File$)/.test(
          operation.operationId,
        );
      expect('401' in operation.responses, operation.operationId).toBe(needsToken || mayBeRefused);
    }
  });

  test('every operation lists the roles that may call it in x-roles, or is public', () => {
    const listed = operations.map(({ operation }) => ({
      id: operation.operationId,
      who: operation['x-roles'],
    }));
    expect(listed.filter(({ who }) => !who).map(({ id }) => id)).toEqual([]);
    for (const { operation, template, method } of operations) {
      const name = `${method} ${template}`;
      const who = operation['x-roles'];
      const isPublic = operation.security?.length === 0;
      expect(who, name).toEqual(isPublic ? ['public'] : roles.filter((role) => who.includes(role)));
      expect(who.length, name).toBeGreaterThan(0);
    }
  });

  test('every status is a number, and 500 is never documented', () => {
    for (const { status, name } of answers) {
      expect(status, name).toBeGreaterThanOrEqual(200);
      expect(status, name).not.toBe(500);
    }
  });

  test('every response has X-Request-Id, errors Error-Code, and 429 and 503 Retry-After', () => {
    for (const { answer, status, name } of answers) {
      expect(answer.headers, name).toHaveProperty('X-Request-Id');
      expect('Error-Code' in answer.headers, name).toBe(status >= 400);
      if ((status === 429 || status === 503) && !name.includes('/readyz'))
        expect(answer.headers, name).toHaveProperty('Retry-After');
    }
  });

  test('the document lists exactly the error codes of the code, with their meanings', () => {
    expect(openApi.components.headers['Error-Code'].schema.enum).toEqual(Object.keys(errorCodes));
    for (const [code, meaning] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(openApi.info.description).toContain(`| \`${code}\` | ${meaning} |`);
    }
  });

  test('every response object is closed and requires all of its fields', () => {
    const mayLackFiles = pointer('components', 'schemas', 'ListedSubmissionObject');
    const answered = nodes.filter(
      ({ at, node }) => node.type === 'object' && node.properties && !at.includes('requestBody'),
    );
    expect(answered.length).toBeGreaterThan(50);
    for (const { at, node } of answered) {
      expect(node.additionalProperties, at).toBe(false);
      const fields = Object.keys(node.properties).filter((name) => at !== mayLackFiles || name !== 'files');
      expect(node.required.toSorted(), at).toEqual(fields.toSorted());
    }
  });

  test('every error response has an example for each of its messages', () => {
    const refusals = answers.filter(({ answer, status }) => status >= 400 && answer.content);
    for (const { answer, name } of refusals) {
      const { schema, example, examples } = answer.content['application/json'];
      const shown = example ? [example] : Object.values<Node>(examples).map(({ value }) => value);
      expect(shown.length, name).toBeGreaterThan(0);
      const messages: string[] | undefined = schema.allOf?.[1]?.properties.message.enum;
      if (messages) expect(shown.map(({ message }) => message).toSorted(), name).toEqual(messages.toSorted());
    }
  });

  test('every example matches its schema', () => {
    const wrong = examples().flatMap(({ at, schema, value }) =>
      schemaViolations(schema, value).map((violation) => `${at}: ${violation}`),
    );
    expect(wrong).toEqual([]);
  });
});

/** The JSON pointers to the components of a document. */
function componentsOf({ components }: Node): string[] {
  const { securitySchemes: _, ...kinds } = components;
  return Object.entries<object>(kinds).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => pointer('components', kind, name)),
  );
}

/** A path with `{}` for each parameter, or one path for each value of a parameter with an enum. */
function positions(template: string): string[] {
  const choices = template.split('/').map((segment) => {
    const [, parameter, extension = ''] = /^\{(\w+)\}(\.\w+)?$/.exec(segment) ?? [];
    return parameter === undefined ? [segment] : (valuesOf(template, parameter) ?? [`{}${extension}`]);
  });
  return choices
    .reduce<string[][]>(
      (paths, values) => paths.flatMap((path) => values.map((value) => [...path, value])),
      [[]],
    )
    .map((path) => path.join('/'));
}

/** Every example with its schema, which either contains the example or is its sibling. */
function examples(): { at: string; schema: string; value: unknown }[] {
  return nodes.flatMap(({ at, node }) => {
    if (Array.isArray(node.examples))
      return node.examples.map((value, index) => ({ at: `${at} ${index}`, schema: at, value }));
    const named = Object.entries<Node>(node.schema ? (node.examples ?? {}) : {});
    const beside = named.map(([name, { value }]) => ({ at: `${at} ${name}`, schema: `${at}/schema`, value }));
    return node.schema && 'example' in node
      ? [...beside, { at, schema: `${at}/schema`, value: node.example }]
      : beside;
  });
}

describe('checkResponse', () => {
  const course = { id: 2, title: 'Algebra', description: null, created_at: '2026-11-01 08:00:00' };
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const answer = (change: Partial<Answer> = {}, headers: Record<string, string> = json): Answer => ({
    method: 'GET',
    path: '/api/v3/admin/courses/2',
    status: 200,
    body: { data: course },
    headers: new Headers({ 'x-request-id': crypto.randomUUID(), ...headers }),
    ...change,
  });
  const refusal = (status: number, message: string, change: Partial<Answer> = {}, headers = {}): Answer =>
    answer(
      { status, body: { message, errors: null }, ...change },
      { ...json, 'error-code': 'internal', ...headers },
    );

  test.each([
    ['a documented response', answer()],
    ['an error response', refusal(404, 'Not Found')],
    ['a response without a body', answer({ method: 'DELETE', status: 204, body: undefined }, {})],
    [
      'an empty buffer instead of no body',
      answer({ method: 'DELETE', status: 204, body: Buffer.alloc(0) }, {}),
    ],
    ['HEAD with the headers of GET', answer({ method: 'HEAD', body: undefined })],
    [
      'an unknown path without a token',
      refusal(401, 'UnauthorizedRequest', { path: '/api/v3/nothing-here' }),
    ],
    ['an unknown path with a token', refusal(404, 'Not Found', { path: '/api/v3/nothing-here' })],
    [
      'an unknown method',
      refusal(405, 'Method Not Allowed', { method: 'PUT' }, { allow: 'GET, HEAD, PATCH' }),
    ],
    ['an integer in a header', refusal(429, 'Too Many Requests', {}, { 'retry-after': '2' })],
    [
      'a file without inspecting it',
      answer(
        { path: '/api/v3/files/quiz/9', status: 206, body: Buffer.from('%PDF-') },
        { 'content-type': 'application/pdf', 'content-range': 'bytes 0-4/900' },
      ),
    ],
  ])('checkResponse accepts %s', (_, good) => {
    expect(() => checkResponse(good)).not.toThrow();
  });

  test.each([
    ['a missing field', answer({ body: { data: { ...course, title: undefined } } }), /\/data.*'title'/],
    ['an extra field', answer({ body: { data: { ...course, slug: 'algebra' } } }), /\/data.*"slug"/],
    ['a wrong type', answer({ body: { data: { ...course, id: '2' } } }), /\/data\/id must be integer/],
    [
      'another time format',
      answer({ body: { data: { ...course, created_at: '2026-11-01T08:00:00' } } }),
      /created_at/,
    ],
    ['another message', refusal(404, 'No such course'), /\/message must be equal to constant/],
    ['an unknown status', answer({ status: 202 }), /returned 202.*\n- the document has no such response/],
    ['every 500', refusal(500, 'Server Error'), /no such response/],
    [
      'another content type',
      answer({}, { 'content-type': 'text/html' }),
      /content type is text\/html, not app/,
    ],
    ['no content type', answer({}, {}), /the content type is missing/],
    ['an unexpected body', answer({ method: 'DELETE', status: 204 }), /there should be no body/],
    [
      'an unlisted error code',
      refusal(404, 'Not Found', {}, { 'error-code': 'no_such_code' }),
      /the header Error-Code: /,
    ],
    ['a missing header', refusal(429, 'Too Many Requests'), /the header Retry-After is missing/],
    [
      'a wrong header',
      refusal(503, 'Service Unavailable', {}, { 'retry-after': 'soon' }),
      /the header Retry-After: /,
    ],
    ['an invalid request id', answer({}, { ...json, 'x-request-id': '1' }), /the header X-Request-Id: /],
    ['success on an unknown path', answer({ path: '/api/v3/nothing-here' }), /unknown path.*returned 200/],
    ['success with an unknown method', answer({ method: 'PUT' }), /unknown method of .*returned 200/],
    ['a path with a segment too many', answer({ path: '/api/v3/admin/courses/2/' }), /unknown path/],
    ['files of another service', answer({ path: '/api/v3/files/auth/9' }, {}), /unknown path/],
  ])('checkResponse rejects %s', (_, bad, complaint) => {
    expect(() => checkResponse(bad)).toThrow(complaint);
  });

  test('the error names the operation and every violation', () => {
    const bad = answer({ body: { data: { ...course, id: 0, title: null } } });
    expect(() => checkResponse(bad)).toThrow(
      /^GET \/api\/v3\/admin\/courses\/2 \(readCourse\) returned 200, .*\n- \/data\/id .*\n- \/data\/title /,
    );
  });
});
