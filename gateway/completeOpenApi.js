// What the OpenAPI document has in common with the code: added by the build, so that nobody has to write it twice.
import { errorCodeHeader, errorCodes } from '@gradeway/shared/errors/errorCodes';

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Completes a bundled document in place. */
export function completeOpenApi(document) {
  addBodyAnswers(document);
  addErrorCodes(document);
  addRateLimits(document);
  return document;
}

const operationsOf = ({ paths }) =>
  Object.values(paths).flatMap((item) =>
    methods.filter((method) => method in item).map((method) => item[method]),
  );

/** Adds the responses that the gateway itself may return for every operation with a body. */
function addBodyAnswers(document) {
  for (const operation of operationsOf(document))
    if (operation.requestBody) Object.assign(operation.responses, document['x-body-answers']);
}

/** Adds `Error-Code` to every error response. */
function addErrorCodes(document) {
  document.components.headers[errorCodeHeader] = {
    description: 'A stable code of the error, for programs.',
    required: true,
    schema: { type: 'string', enum: Object.keys(errorCodes) },
  };
  const rows = Object.entries(errorCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  document.info.description += `\n## Error codes\n\n| \`${errorCodeHeader}\` | Meaning |\n| --- | --- |\n${rows.join('\n')}\n`;
  addHeader(document, errorCodeHeader, (status) => status >= 400);
}

const everyStatus = () => true;

/** Adds the headers of the rate limit to every response of the API. */
function addRateLimits(document) {
  document.components.headers.RateLimit = {
    description:
      'How many requests the caller has left (`r`) in the next `t` seconds. Absent if the installation has no limit.',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=1180;t=42',
  };
  document.components.headers['RateLimit-Policy'] = {
    description: 'How many requests (`q`) the caller may send in `w` seconds. Absent if the installation has no limit.',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
    example: '"default";q=1200;w=60',
  };
  for (const name of ['RateLimit', 'RateLimit-Policy']) addHeader(document, name, everyStatus);
}

/** Adds a header to the responses with a status, including those to unknown paths and methods. */
function addHeader(document, name, hasHeader) {
  const unknown = [document['x-unknown-path'], document['x-unknown-method']];
  const responses = [...operationsOf(document).map((operation) => operation.responses), ...unknown];
  for (const [status, response] of responses.flatMap((each) => Object.entries(each)))
    if (hasHeader(Number(status)))
      targetOf(document, response).headers[name] = { $ref: `#/components/headers/${name}` };
}

/** A response, or the component that it refers to. */
function targetOf(document, response) {
  const name = response.$ref?.replace('#/components/responses/', '');
  return name === undefined ? response : targetOf(document, document.components.responses[name]);
}
