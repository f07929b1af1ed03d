import { sleep } from 'k6';
import http, { type RefinedResponse } from 'k6/http';
import { Counter } from 'k6/metrics';
import { counters, type RequestName, requests } from './options.ts';
import type { Settings } from './settings.ts';

export interface Call {
  request: RequestName;
  /** The values of the path's parameters, in order. */
  ids?: number[];
  token?: string;
  /** Sent as JSON. */
  body?: object;
}

export type Answer = RefinedResponse<'text'>;

const failed = new Counter(counters.failed);
const repeats = 20;
// The number of failures that this virtual user has printed.
let reported = 0;

/** Counts a failed response, and prints the first few. */
export function countFailure(request: RequestName, { status, body, error }: Answer): void {
  failed.add(1, { name: request, status: String(status) });
  reported += 1;
  if (reported <= 3) console.error(`${request} returned ${status}: ${String(body || error).slice(0, 300)}`);
}

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Sends a request. Any response without a 2xx status counts as failed. */
export function send(settings: Settings, call: Call): Answer {
  const { method, url, body, params } = build(settings, call);
  const answer = http.request(method, url, body, params) as Answer;
  if (!isSuccess(answer)) countFailure(call.request, answer);
  return answer;
}

/**
 * Sends requests that prepare a test, several at once. Waits while the gateway limits their rate (429), and repeats
 * requests that got 5xx or no response. @throws Error when one never gets 2xx
 */
export function prepare(settings: Settings, calls: Call[]): Answer[] {
  const answers: Answer[] = [];
  let open = calls.map((_, index) => index);
  for (let round = 0; open.length > 0; round += 1) {
    const batch = open.map((index) => build(settings, calls[index] as Call));
    http.batch(batch).forEach((answer, place) => {
      answers[open[place] as number] = answer as Answer;
    });
    open = open.filter((index) => !isSuccess(answers[index] as Answer));
    const refused = open.map((index) => answers[index] as Answer);
    const isFinal = ({ status }: Answer) => status >= 400 && status < 500 && status !== 429;
    const given = refused.find(isFinal) ?? (round >= repeats ? refused[0] : undefined);
    if (given)
      throw new Error(`the preparation returned ${given.status}: ${String(given.body || given.error)}`);
    if (refused.length > 0)
      sleep(Math.max(1, ...refused.map(({ headers }) => Number(headers['Retry-After'] ?? 1))));
  }
  return answers;
}

/** The JSON of a response. */
export const read = <T>({ body }: Answer): T => JSON.parse(body) as T;

/** Logs in. Returns undefined if the login was refused, which counts as failed. */
export function logIn(settings: Settings, email: string, password: string): string | undefined {
  const answer = send(settings, { request: 'login', body: { email, password } });
  return answer.status === 200 ? read<{ access_token: string }>(answer).access_token : undefined;
}

/** Waits until this machine's clock shows the given time, in milliseconds. */
export function sleepUntil(time: number): void {
  const ms = time - Date.now();
  if (ms > 0) sleep(ms / 1_000);
}

function build({ gatewayUrl }: Settings, { request, ids = [], token, body }: Call) {
  const [method, path] = requests[request];
  const values = [...ids];
  return {
    method,
    url: gatewayUrl + path.replace(/:\w+/g, () => String(values.shift())),
    body: body === undefined ? null : JSON.stringify(body),
    params: {
      headers: {
        Accept: 'application/json',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      tags: { name: request },
    },
  };
}
