import type { FontFace } from './fontFace.ts';
import { subsetFont } from './subsetFont.ts';

/** The data that PDFium needs to embed a font with the glyph numbers of the PDF. */
export interface EmbeddedFont {
  /** TrueType, with only the numbered glyphs. */
  content: Uint8Array;
  /** CMap from glyph numbers to text. */
  toUnicode: string;
  /** The glyph id of each number, in 16 bits. */
  glyphs: Uint8Array;
}

// PDF limits a block of a CMap to this many entries.
const entriesPerBlock = 100;

/** Prepares a font for embedding. `index` makes its name unique in the PDF. */
export function embedFont(face: FontFace, index: number): EmbeddedFont {
  const { numbered, file, weight } = face;
  const content = subsetFont(face.content, {
    glyphs: numbered.map(({ glyph }) => glyph),
    codePoint: numbered.map(({ text }) => text.codePointAt(0)).find((each) => each && face.has(each)) ?? 0x20,
    weight: file.isVariable ? weight : undefined,
  });
  nameSubset(content, index);
  const glyphs = Buffer.alloc(2 * (numbered.length + 1));
  for (const [at, { glyph }] of numbered.entries()) glyphs.writeUInt16BE(glyph, 2 * (at + 1));
  return { content, toUnicode: toUnicodeMap(numbered.map(({ text }) => text)), glyphs };
}

/** Maps the glyph numbers, from 1, to their texts. */
function toUnicodeMap(texts: string[]): string {
  const entries = texts.flatMap((text, at) => (text === '' ? [] : [`<${hex(at + 1)}> <${utf16(text)}>`]));
  const blocks = Array.from({ length: Math.ceil(entries.length / entriesPerBlock) }, (_, block) => {
    const lines = entries.slice(block * entriesPerBlock, (block + 1) * entriesPerBlock);
    return `${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar`;
  });
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange\n<0000> <ffff>\nendcodespacerange',
    ...blocks,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n');
}

const hex = (value: number): string => value.toString(16).padStart(4, '0');
const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');

const postScriptName = 6;
const windows = { platform: 3, encoding: 1, language: 0x409 };

/**
 * Replaces the names of a font with one unique PostScript name that has a subset prefix, such as `AAAAAB+Noto`. Viewers
 * and printers may treat two fonts with the same name as one.
 */
function nameSubset(font: Uint8Array, index: number): void {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const tables = Array.from({ length: view.getUint16(4) }, (_, at) => 12 + 16 * at);
  const record = tables.find((at) => Buffer.from(font.subarray(at, at + 4)).toString('latin1') === 'name');
  if (record === undefined) return;
  const name = Buffer.from(`${prefixOf(index)}+Noto`, 'utf16le').swap16();
  const header = [
    0,
    1,
    18,
    windows.platform,
    windows.encoding,
    windows.language,
    postScriptName,
    name.length,
    0,
  ];
  const table = Buffer.alloc(2 * header.length + name.length);
  for (const [at, value] of header.entries()) table.writeUInt16BE(value, 2 * at);
  name.copy(table, 2 * header.length);
  // Noto's original names, with copyright, licence and addresses, always leave enough room.
  if (table.length > view.getUint32(record + 12)) return;
  font.set(table, view.getUint32(record + 8));
  view.setUint32(record + 12, table.length);
}

function prefixOf(index: number): string {
  const letters = Array.from({ length: 6 }, (_, place) => Math.floor(index / 26 ** (5 - place)) % 26);
  return String.fromCharCode(...letters.map((letter) => 65 + letter));
}
