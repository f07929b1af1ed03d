import { readFileSync } from 'node:fs';

// biome-ignore lint/suspicious/noExplicitAny: any object of a document
export type Document = Record<string, any>;

export const documentNames = ['openapi.json', 'asyncapi.json'] as const;

type DocumentName = (typeof documentNames)[number];

const read = (url: URL): Document => JSON.parse(readFileSync(url, 'utf8'));

/** The document of the code, without its prose. */
export const currentDocument = (name: DocumentName): Document =>
  withoutProse(read(new URL(`../../gateway/dist/${name}`, import.meta.url)));

export const releasedFile = (name: DocumentName): URL => new URL(`released/${name}`, import.meta.url);

/** The document of the last release, as `npm run api:release` recorded it. */
export const releasedDocument = (name: DocumentName): Document => read(releasedFile(name));

const prose = new Set(['description', 'summary', 'title', 'example', 'examples']);

// Keys that are names, so that a field may be called `description`.
const named = new Set([
  'properties',
  'schemas',
  'headers',
  'parameters',
  'responses',
  'paths',
  'messages',
  'channels',
]);

/** Removes descriptions and examples, which do not affect compatibility. */
function withoutProse<Value>(value: Value, keysAreNames = false): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutProse(each)) as Value;
  const kept = Object.entries(value).filter(([name]) => keysAreNames || !prose.has(name));
  return Object.fromEntries(
    kept.map(([name, child]) => [name, withoutProse(child, !keysAreNames && named.has(name))]),
  ) as Value;
}
