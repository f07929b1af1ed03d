import { constants, deflateRawSync, deflateSync } from 'node:zlib';

export interface PdfBomb {
  kind: string;
  make(): Buffer;
}

const million = 1_000_000;
const catalog = '<</Type/Catalog/Pages 2 0 R>>';
const pages = '<</Type/Pages/Count 1/Kids[3 0 R]>>';
const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>';

/** Small files that are expensive to open. */
export const pdfBombs: PdfBomb[] = [
  { kind: 'object stream of 900 MB', make: () => compressedCatalog('', ' ', 900 * million) },
  { kind: 'the same, deflated three times', make: () => compressedCatalog('', ' ', 900 * million, 3) },
  { kind: 'array of 100 million entries', make: () => compressedCatalog('/X[', '0 ', 200 * million) },
  { kind: 'string of 100 million characters', make: () => compressedCatalog('/X(', 'a', 100 * million) },
  { kind: 'dictionary of 40 million entries', make: () => compressedCatalog('/X<<', '/a 0', 160 * million) },
  { kind: '50 million nested arrays', make: () => compressedCatalog('/X', '[', 50 * million) },
  { kind: 'xref table of 120 million entries', make: () => compressedXref(120 * million) },
  { kind: 'xref table of 4 million entries', make: () => compressedXref(4 * million) },
  { kind: 'array of 20 MB, not compressed', make: () => withCatalog(`/X[${'0 '.repeat(10 * million)}]`) },
  { kind: 'page tree of 3^38 nodes', make: exponentialPageTree },
  { kind: 'cyclic page tree', make: cyclicPageTree },
  { kind: 'chain of 50,000 xref tables', make: () => chainOfXrefs(50_000) },
];

/** Files that look expensive and are valid. */
export const heavyPdfs: PdfBomb[] = [
  { kind: 'string of 5 MB', make: () => withCatalog(`/X(${'a'.repeat(5 * million)})`) },
  { kind: 'page content of 900 MB', make: inflatingContent },
  { kind: 'tree of 100,000 pages', make: () => flatPageTree(100_000) },
];

type Objects = [number: number, body: string | Buffer][];

function assemble(objects: Objects, trailer: (offsets: Map<number, number>, end: number) => Buffer): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  let end = parts[0]?.length ?? 0;
  const offsets = new Map<number, number>();
  for (const [number, body] of objects) {
    offsets.set(number, end);
    for (const part of [`${number} 0 obj\n`, body, '\nendobj\n'].map((text) => Buffer.from(text as string))) {
      parts.push(part);
      end += part.length;
    }
  }
  return Buffer.concat([...parts, trailer(offsets, end)]);
}

function xref(offsets: Map<number, number>, more = ''): string {
  const size = Math.max(...offsets.keys()) + 1;
  const rows = Array.from({ length: size - 1 }, (_, index) => {
    const offset = offsets.get(index + 1);
    return `${String(offset ?? 0).padStart(10, '0')} 00000 ${offset === undefined ? 'f' : 'n'} \n`;
  });
  return `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<</Root 1 0 R/Size ${size}${more}>>\n`;
}

const withTable = (objects: Objects): Buffer =>
  assemble(objects, (offsets, end) => Buffer.from(`${xref(offsets)}startxref\n${end}\n%%EOF\n`));

const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${data.length}>>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);

// One deflated block repeated: a file of 900 MB is created in milliseconds.
function deflateRepeated(unit: string, bytes: number, before = '', after = ''): Buffer {
  const units = Math.round(million / unit.length);
  const flushed = (text: string) => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const block = flushed(unit.repeat(units));
  const blocks = Array<Buffer>(Math.round(bytes / unit.length / units)).fill(block);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), flushed(before), ...blocks, deflateRawSync(after)]);
}

/** A catalog in an object stream, with `unit` repeated in it. */
function compressedCatalog(before: string, unit: string, bytes: number, times = 1): Buffer {
  const first = 20;
  let data = deflateRepeated(
    unit,
    bytes,
    `${'1 0 '.padEnd(first)}${before === '' ? '' : catalog.slice(0, -2)}${before}`,
    before === '' ? catalog : '',
  );
  for (let time = 1; time < times; time += 1) data = deflateSync(data, { level: 9 });
  const filter = `/Filter[${'/FlateDecode'.repeat(times)}]`;
  const objects: Objects = [
    [2, pages],
    [3, page],
    [4, stream(`/Type/ObjStm/N 1/First ${first}${filter}`, data)],
  ];
  return assemble(objects, (offsets, end) => {
    const rows = [
      [0, 0, 65535],
      [2, 4, 0],
      ...[2, 3, 4].map((n) => [1, offsets.get(n) ?? 0, 0]),
      [1, end, 0],
    ];
    const table = Buffer.concat(
      rows.map(([type = 0, offset = 0, index = 0]) => {
        const row = Buffer.from([type, 0, 0, 0, 0, 0, 0]);
        row.writeUInt32BE(offset, 1);
        row.writeUInt16BE(index, 5);
        return row;
      }),
    );
    const body = stream('/Type/XRef/W[1 4 2]/Size 6/Root 1 0 R', table);
    return Buffer.concat([
      Buffer.from('5 0 obj\n'),
      body,
      Buffer.from(`\nendobj\nstartxref\n${end}\n%%EOF\n`),
    ]);
  });
}

function compressedXref(entries: number): Buffer {
  const data = deflateRepeated('\x01\x00\x00', 3 * entries);
  // The data comes in whole blocks, so it may be slightly shorter.
  const size = Math.floor(entries * 0.999);
  const dictionary = `/Type/XRef/W[1 1 1]/Size ${size}/Index[0 ${size}]/Root 1 0 R/Filter/FlateDecode`;
  const objects: Objects = [
    [1, catalog],
    [2, pages],
    [3, page],
    [4, stream(dictionary, data)],
  ];
  return assemble(objects, (offsets) => Buffer.from(`startxref\n${offsets.get(4)}\n%%EOF\n`));
}

const withCatalog = (entry: string): Buffer =>
  withTable([
    [1, `${catalog.slice(0, -2)}${entry}>>`],
    [2, pages],
    [3, page],
  ]);

function inflatingContent(): Buffer {
  return withTable([
    [1, catalog],
    [2, pages],
    [3, `${page.slice(0, -2)}/Contents 4 0 R>>`],
    [4, stream('/Filter/FlateDecode', deflateRepeated('q ', 900 * million))],
  ]);
}

function flatPageTree(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, index) => index + 3);
  return withTable([
    [1, catalog],
    [2, `<</Type/Pages/Count ${count}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`],
    ...kids.map((kid): [number, string] => [kid, page]),
  ]);
}

/** Three kilobytes of nodes. Each has the next one as its child three times. */
export function exponentialPageTree(): Buffer {
  const nodes = Array.from({ length: 38 }, (_, index): [number, string] => [
    index + 2,
    `<</Type/Pages/Kids[${`${index + 3} 0 R `.repeat(3)}]>>`,
  ]);
  return withTable([[1, catalog], ...nodes, [40, '<</Type/Pages/Kids[]>>']]);
}

function cyclicPageTree(): Buffer {
  return withTable([
    [1, catalog],
    [2, `<</Type/Pages/Count 1000000000/Kids[${'2 0 R 3 0 R '.repeat(100_000)}]>>`],
    [3, '<</Type/Pages/Count 1/Kids[2 0 R 4 0 R]>>'],
    [4, '<</Type/Pages/Parent 2 0 R/Count 5/Kids[3 0 R]>>'],
  ]);
}

function chainOfXrefs(length: number): Buffer {
  const objects: Objects = [
    [1, catalog],
    [2, pages],
    [3, page],
  ];
  return assemble(objects, (offsets, end) => {
    const tables: string[] = [];
    let [last, next] = [0, end];
    for (let n = 0; n < length; n += 1) {
      const table = xref(offsets, n === 0 ? '' : `/Prev ${last}`);
      tables.push(table);
      [last, next] = [next, next + table.length];
    }
    return Buffer.from(`${tables.join('')}startxref\n${last}\n%%EOF\n`);
  });
}
