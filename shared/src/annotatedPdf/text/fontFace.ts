import * as harfbuzz from 'harfbuzzjs';
import type { FontFile } from './fontFiles.ts';

export type Weight = 400 | 600;

/** A glyph of shaped text. Lengths are in em. */
export interface ShapedGlyph {
  glyph: number;
  /** The characters that it represents; empty for further glyphs of the same characters. */
  text: string;
  /** The index of these characters in the shaped text. */
  index: number;
  advance: number;
  /** Offset from the position that the advances give it. */
  dx: number;
  dy: number;
}

/** A glyph with its number in the PDF. Each number has exactly one text, so that text can be extracted. */
interface NumberedGlyph {
  glyph: number;
  text: string;
}

// Shown for characters without a glyph, because viewers do not draw glyph 0.
const replacement = 0xfffd;

// Shared, because each buffer holds HarfBuzz memory, which the garbage collector would free late.
const buffer = new harfbuzz.Buffer();

/** A font in one weight. Shapes text with HarfBuzz and numbers the glyphs that are drawn. */
export class FontFace {
  readonly file: FontFile;
  readonly weight: Weight;
  readonly content: Uint8Array;
  readonly #font: harfbuzz.Font;
  readonly #unitsPerEm: number;
  readonly #numbers = new Map<string, number>();
  readonly #numbered: NumberedGlyph[] = [];
  readonly #advances = new Map<number, number>();
  readonly #replacement: number;

  constructor(file: FontFile, content: Uint8Array, face: harfbuzz.Face, weight: Weight) {
    this.file = file;
    this.content = content;
    this.weight = weight;
    this.#font = new harfbuzz.Font(face);
    this.#unitsPerEm = face.upem;
    if (file.isVariable) this.#font.setVariations([new harfbuzz.Variation('wght', weight)]);
    this.#replacement = this.#font.nominalGlyph(replacement) ?? 0;
  }

  has(codePoint: number): boolean {
    return Boolean(this.#font.nominalGlyph(codePoint));
  }

  /** Shapes text of one direction. Returns the glyphs from left to right. */
  shape(text: string, isRightToLeft: boolean): ShapedGlyph[] {
    buffer.reset();
    buffer.addText(text);
    buffer.setDirection(isRightToLeft ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR);
    buffer.setFlags(harfbuzz.BufferFlag.REMOVE_DEFAULT_IGNORABLES);
    buffer.guessSegmentProperties();
    harfbuzz.shape(this.#font, buffer);
    const positions = buffer.getGlyphPositions();
    const em = this.#unitsPerEm;
    const glyphs = buffer.getGlyphInfos().map(({ codepoint, cluster }, at): ShapedGlyph => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[at] ?? {};
      const glyph = codepoint === 0 ? this.#replacement : codepoint;
      return {
        glyph,
        text: '',
        index: cluster,
        advance: codepoint === 0 ? this.advanceOf(glyph) : xAdvance / em,
        dx: xOffset / em,
        dy: yOffset / em,
      };
    });
    assignTexts(glyphs, text, isRightToLeft);
    return glyphs;
  }

  /** The default advance of a glyph in the PDF, in em. */
  advanceOf(glyph: number): number {
    const known = this.#advances.get(glyph);
    if (known !== undefined) return known;
    const advance = Math.round((this.#font.glyphHAdvance(glyph) / this.#unitsPerEm) * 1000) / 1000;
    this.#advances.set(glyph, advance);
    return advance;
  }

  /** Returns the number of a glyph in the PDF, from 1. Assigns one on first use. */
  numberOf({ glyph, text }: Pick<ShapedGlyph, 'glyph' | 'text'>): number {
    const key = `${glyph} ${text}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbered.push({ glyph, text });
    this.#numbers.set(key, this.#numbered.length);
    return this.#numbered.length;
  }

  /** The numbered glyphs, ordered by number from 1. */
  get numbered(): readonly NumberedGlyph[] {
    return this.#numbered;
  }
}

// The first glyph of a cluster in reading order gets its text.
function assignTexts(glyphs: ShapedGlyph[], text: string, isRightToLeft: boolean): void {
  const starts = [...new Set(glyphs.map(({ index }) => index))].toSorted((a, b) => a - b);
  const endOf = new Map(starts.map((start, at) => [start, starts[at + 1] ?? text.length]));
  const assigned = new Set<number>();
  for (const glyph of isRightToLeft ? glyphs.toReversed() : glyphs) {
    if (assigned.has(glyph.index)) continue;
    assigned.add(glyph.index);
    glyph.text = text.slice(glyph.index, endOf.get(glyph.index));
  }
}
