import { type Encoding, encodings } from './compress.ts';

/** Whether an `Accept` header names HTML. A wildcard does not count: programs send it with every request. */
export const acceptsPages = (accept: string | undefined): boolean =>
  (weightsOf(accept).get('text/html') ?? 0) > 0;

/** The encodings that an `Accept-Encoding` header allows, in order of preference. */
export function acceptedEncodings(acceptEncoding: string | undefined): Encoding[] {
  const weights = weightsOf(acceptEncoding);
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  return encodings
    .filter((encoding) => weightOf(encoding) > 0)
    .toSorted((one, other) => weightOf(other) - weightOf(one));
}

/** Parses the weights of a header (RFC 9110 §12.4.2), by value in lower case. A weight of 0 excludes a value. */
function weightsOf(header = ''): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.toLowerCase().split(',')) {
    const [value = '', ...parameters] = element.split(';').map((part) => part.trim());
    const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
    weights.set(value, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
}
