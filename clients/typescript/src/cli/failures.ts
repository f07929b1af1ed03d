import { CommanderError } from 'commander';
import { GradewayError } from '../http/gradewayError.ts';
import { printError } from './output.ts';

/** The command line is wrong; the message says what to change. */
export class Misuse extends Error {}

/** Nothing was changed, for a reason other than an API error. */
export class Refused extends Error {}

const exitCodes = { ok: 0, refused: 1, misused: 2, unreachable: 3 };

const gatewayStatuses = [0, 502, 503, 504];

/** Prints what is wrong and what to do, and returns the exit code. */
export function report(error: unknown, json: boolean): number {
  // Commander has already printed the help or its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.misused;
  if (error instanceof GradewayError) {
    if (json) process.stderr.write(`${asJson(error)}\n`);
    else printError(describe(error));
    return gatewayStatuses.includes(error.status) ? exitCodes.unreachable : exitCodes.refused;
  }
  const { message, code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path) printError(`There is no file ${path}.`);
  else if (message) printError(message);
  return error instanceof Misuse || code !== undefined ? exitCodes.misused : exitCodes.refused;
}

const asJson = ({ status, code, message, fields, requestId }: GradewayError): string =>
  JSON.stringify({ error: { status, code, message, fields, request_id: requestId ?? null } });

function describe(error: GradewayError): string {
  const lines = Object.entries(error.fields).flatMap(([field, messages]) =>
    messages.map((message) => `  ${field}: ${message}`),
  );
  const hint = hintFor(error);
  return [
    error.message,
    ...lines,
    ...(hint ? [hint] : []),
    ...(error.requestId ? [`Request ${error.requestId}`] : []),
  ].join('\n');
}

const scopeHint =
  'Use a token that has the scope; where a session is needed, the access_token that POST /api/v3/login returns, or the web application.';

function hintFor({ status, code, fields, message }: GradewayError): string | undefined {
  if (code === 'unreachable') return 'Is the address right, and the installation running?';
  // Some operations refuse a token that lacks their scope with 401.
  if (fields.scope) return scopeHint;
  if (status === 401)
    return 'The token is incomplete, has ended or is not allowed to do this: create another one and run gradeway login.';
  if (message === 'Reauthentication Required')
    return 'The session of this token must confirm its password first (POST /api/v3/reauthenticate).';
  if (status === 403) return 'The account of this token may not do this.';
  if (status === 404) return 'It does not exist, or the account of this token may not see it.';
  if (status === 412 || status === 409) return 'Look at the current state and try again.';
  if (status === 429) return 'Wait a moment and try again.';
  return gatewayStatuses.includes(status) ? 'Try again in a moment.' : undefined;
}
