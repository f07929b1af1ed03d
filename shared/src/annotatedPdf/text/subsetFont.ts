import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// HarfBuzz's own names. A handle is an address in its memory.
interface Subsetter {
  memory: { buffer: ArrayBuffer };
  _initialize(): void;
  malloc(bytes: number): number;
  free(address: number): void;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_unicode_set(input: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_pin_axis_location(input: number, face: number, axis: number, value: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

declare namespace WebAssembly {
  function instantiate(bytes: Uint8Array): Promise<{ instance: { exports: object } }>;
}

const wasm = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
const { instance } = await WebAssembly.instantiate(readFileSync(wasm));
const subsetter = instance.exports as Subsetter;
subsetter._initialize();

const writable = 2;
const flags = { noHinting: 1, retainGlyphIds: 2 };
const droppedTables = 3;
// The text is already shaped, so the shaping tables are not needed.
const layoutTables = ['GSUB', 'GPOS', 'GDEF'];

interface Subset {
  glyphs: Iterable<number>;
  /** A character in the font: PDFium refuses fonts without one. */
  codePoint: number;
  /** Weight of a variable font; undefined for others. */
  weight: number | undefined;
}

/** Reduces a font to the given glyphs, which keep their ids, in one weight. */
export function subsetFont(font: Uint8Array, { glyphs, codePoint, weight }: Subset): Uint8Array {
  const address = subsetter.malloc(font.length);
  new Uint8Array(subsetter.memory.buffer).set(font, address);
  const blob = subsetter.hb_blob_create(address, font.length, writable, 0, 0);
  const face = subsetter.hb_face_create(blob, 0);
  const input = subsetter.hb_subset_input_create_or_fail();
  try {
    const kept = subsetter.hb_subset_input_glyph_set(input);
    for (const glyph of glyphs) subsetter.hb_set_add(kept, glyph);
    subsetter.hb_set_add(subsetter.hb_subset_input_unicode_set(input), codePoint);
    const dropped = subsetter.hb_subset_input_set(input, droppedTables);
    for (const table of layoutTables) subsetter.hb_set_add(dropped, tagOf(table));
    subsetter.hb_subset_input_set_flags(input, flags.noHinting | flags.retainGlyphIds);
    if (weight !== undefined) subsetter.hb_subset_input_pin_axis_location(input, face, tagOf('wght'), weight);
    const reduced = subsetter.hb_subset_or_fail(face, input);
    if (reduced === 0) throw new Error('the font cannot be reduced');
    const content = contentOf(reduced);
    subsetter.hb_face_destroy(reduced);
    return content;
  } finally {
    subsetter.hb_subset_input_destroy(input);
    subsetter.hb_face_destroy(face);
    subsetter.hb_blob_destroy(blob);
    subsetter.free(address);
  }
}

function contentOf(face: number): Uint8Array {
  const blob = subsetter.hb_face_reference_blob(face);
  const start = subsetter.hb_blob_get_data(blob, 0);
  const content = new Uint8Array(subsetter.memory.buffer).slice(
    start,
    start + subsetter.hb_blob_get_length(blob),
  );
  subsetter.hb_blob_destroy(blob);
  return content;
}

const tagOf = (tag: string): number => Buffer.from(tag, 'latin1').readUInt32BE();
