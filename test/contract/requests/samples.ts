import { locate, type Node } from '../../support/openApi.ts';
import type { Field } from './fields.ts';

const secret = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`;

const texts = [
  ...['', ' ', ' '.repeat(8), ' x ', 'x', '*', 'true', 'false', 'null'],
  ...['0', '1', '-1', '1.5', '7', '08', '1e3', '0.00001', '1000000', '9'.repeat(15), '9'.repeat(16)],
  ...['2026-12-01', '2026-12-01T18:00', '2026-12-01T18:00:00', '2026-12-01T18:00:00Z', '0900-12-01T18:00:00'],
  ...['1899-12-31T23:59:59', '1900-01-01T00:00:00', '2026-12-01T18:00:00+01:00', '2026-12-01 18:00:00'],
  ...[
    'ada@school.example',
    'jörg@schüle.example',
    'ada@',
    'ada.school.example',
    'https://school.example/hook',
  ],
  ...['+44 20 7946-0018', '+442079460018', '020 7946 0018', '+0123456789', '+1 2345'],
  ...['042137', '0421', '7b0e4c0e-9f0e-4e63-9f0e-0c7b0e4c0e9f', '7B0E4C0E-9F0E-4E63-9F0E-0C7B0E4C0E9F'],
  ...[23, 24, 64, 65].map(secret),
  ...[101, 256, 1001, 2049, 8193, 10_001].flatMap((length) => ['x'.repeat(length), '💚'.repeat(length)]),
];

const numbers = [
  0,
  -1,
  1,
  1.5,
  7,
  0.5,
  0.00001,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  1e15,
  999_999,
  1_000_000,
];

const others = [null, true, false, [], ['x'], ['*'], ['*', 'x'], {}, { x: 1 }];

/** Sample values for a field: of every type, and at the limits in the document. */
export function samplesFor({ isText, at }: Field): unknown[] {
  const limits = [...schemasOf(at)].flatMap(limitsOf);
  return isText ? [...texts, ...limits.map(String)] : [...texts, ...numbers, ...others, ...limits];
}

function limitsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...schema }: Node): unknown[] {
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].filter((each) => each !== undefined);
  const lengths = [schema.minLength, schema.maxLength].filter((each) => each !== undefined);
  const choices = [...(schema.enum ?? []), ...('const' in schema ? [schema.const] : [])];
  return [
    ...bounds.flatMap((bound) => [bound - 1, bound, bound + 1]),
    ...lengths
      .flatMap((length) => [length - 1, length, length + 1])
      .map((length) => 'x'.repeat(Math.max(0, length))),
    ...choices.flatMap((choice) => [choice, [choice], [choice, choice]]),
  ];
}

/** The schema at a JSON pointer, and its parts. */
function* schemasOf(pointer: string): Generator<Node> {
  const { node, at } = locate(pointer);
  yield node;
  for (const index of (node.anyOf ?? []).keys()) yield* schemasOf(`${at}/anyOf/${index}`);
  if (node.items) yield* schemasOf(`${at}/items`);
}
