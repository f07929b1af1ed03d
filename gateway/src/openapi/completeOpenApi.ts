import { errorCodeHeader, errorCodes } from '@gradeway/shared/errors/errorCodes';
import type { Route } from '../routing/routeTable.ts';
import { describeWebhooks } from './asyncApi.ts';
import type { Document } from './document.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Adds to a bundled document, in place, the parts that follow from the code, so that nobody has to write them twice.
 */
export function completeOpenApi(document: Document, routes: Route[]): Document {
  const { 'webhook.test.v1': test } = document.webhooks;
  document.webhooks = { ...describeWebhooks(test.post), ...document.webhooks };
  addBodyAnswers(document);
  addErrorCodes(document);
  addRateLimits(document);
  markDeprecated(document, routes);
  return document;
}

const operationsOf = ({ paths }: Document): Document[] =>
  Object.values<Document>(paths).flatMap((item) =>
    methods.filter((method) => method in item).map((method) => item[method]),
  );

/** Adds the responses that the gateway itself may return for every operation with a body. */
function addBodyAnswers(document: Document): void {
  for (const operation of operationsOf(document))
    if (operation.requestBody) Object.assign(operation.responses, document['x-body-answers']);
}

/** Adds `Error-Code` to every error response. */
function addErrorCodes(document: Document): void {
  document.components.headers[errorCodeHeader] = {
    description: 'A stable code of the error, for programs.',
    required: true,
    schema: { type: 'string', enum: Object.keys(errorCodes) },
  };
  const rows = Object.entries(errorCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  document.info.description += `\n## Error codes\n\n| \`${errorCodeHeader}\` | Meaning |\n| --- | --- |\n${rows.join('\n')}\n`;
  addHeader(document, errorCodeHeader, (status) => status >= 400);
}

/** Marks the operations of deprecated routes. */
function markDeprecated(document: Document, routes: Route[]): void {
  for (const { method, path, deprecation } of routes) {
    if (!deprecation) continue;
    const operation = document.paths[templateOf(document, path) ?? '']?.[method.toLowerCase()];
    if (!operation) throw new Error(`the document does not describe the deprecated ${method} ${path}`);
    operation.deprecated = true;
    operation['x-sunset'] = deprecation.sunset;
  }
}

/** The path of the document that describes the path of a route. Parameters may have different names there. */
function templateOf({ paths }: Document, path: string): string | undefined {
  const templates = Object.keys(paths);
  const withoutNames = (template: string) => template.replaceAll(/:\w+|\{\w+\}/g, '{}');
  const exact = templates.find((template) => withoutNames(template) === withoutNames(path));
  // A parameter of the document, such as `{kind}`, may stand for fixed segments of two routes.
  const matches = (template: string) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return exact ?? templates.find(matches);
}

const everyStatus = () => true;

/** Adds the headers of the rate limit to every response of the API. */
function addRateLimits(document: Document): void {
  document.components.headers.RateLimit = {
    description:
      'How many requests the caller has left (`r`) in the next `t` seconds. Absent if the installation has no limit.',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=1180;t=42',
  };
  document.components.headers['RateLimit-Policy'] = {
    description:
      'How many requests (`q`) the caller may send in `w` seconds. Absent if the installation has no limit.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
    example: '"default";q=1200;w=60',
  };
  for (const name of ['RateLimit', 'RateLimit-Policy']) addHeader(document, name, everyStatus);
}

/** Adds a header to the responses with a status, including those to unknown paths and methods. */
function addHeader(document: Document, name: string, hasHeader: (status: number) => boolean): void {
  const unknown = [document['x-unknown-path'], document['x-unknown-method']];
  const responses = [...operationsOf(document).map((operation) => operation.responses), ...unknown];
  for (const [status, response] of responses.flatMap((each) => Object.entries<Document>(each)))
    if (hasHeader(Number(status)))
      targetOf(document, response).headers[name] = { $ref: `#/components/headers/${name}` };
}

/** A response, or the component that it refers to. */
function targetOf(document: Document, response: Document): Document {
  const name = response.$ref?.replace('#/components/responses/', '');
  return name === undefined ? response : targetOf(document, document.components.responses[name]);
}
