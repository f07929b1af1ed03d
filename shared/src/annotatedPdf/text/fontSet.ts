/// <reference path="./wawoff2.d.ts" />
import { readFileSync } from 'node:fs';
import * as harfbuzz from 'harfbuzzjs';
import decompress from 'wawoff2/decompress.js';
import { FontFace, type Weight } from './fontFace.ts';
import { type FontFile, fontFilesFor, type HanStyle, lastResort } from './fontFiles.ts';

interface Loaded {
  content: Uint8Array;
  face: harfbuzz.Face;
  faces: Map<Weight, FontFace>;
}

const combining = /\p{M}/u;
// Characters without a glyph: direction marks, joiners, variation selectors.
const ignorable = /\p{Default_Ignorable_Code_Point}/u;

/** The bundled fonts. Reads only the files needed for the characters of the texts. */
export class FontSet {
  readonly #loaded = new Map<string, Loaded>();
  readonly #fileOf = new Map<string, FontFile>();
  readonly #lastResort = lastResort();

  /** Loads the fonts for all characters in the texts. */
  async prepare(texts: Iterable<string>): Promise<void> {
    await this.#load(this.#lastResort);
    for (const text of texts) {
      const style = hanStyleOf(text);
      for (const character of new Set(text)) {
        const key = keyOf(character, style);
        if (!this.#fileOf.has(key)) this.#fileOf.set(key, await this.#find(character, style));
      }
    }
  }

  /** Returns the font of each UTF-16 code unit of a prepared text. */
  facesOf(text: string, weight: Weight): FontFace[] {
    const style = hanStyleOf(text);
    const faces: FontFace[] = [];
    let last: FontFace | undefined;
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0;
      const follows =
        last && (ignorable.test(character) || (combining.test(character) && last.has(codePoint)));
      const face = follows && last ? last : this.#face(this.#fileOf.get(keyOf(character, style)), weight);
      for (let unit = 0; unit < character.length; unit += 1) faces.push(face);
      last = face;
    }
    return faces;
  }

  /** The fonts that have numbered glyphs. */
  get used(): FontFace[] {
    return [...this.#loaded.values()]
      .flatMap(({ faces }) => [...faces.values()])
      .filter(({ numbered }) => numbered.length > 0);
  }

  async #find(character: string, style: HanStyle): Promise<FontFile> {
    const codePoint = character.codePointAt(0) ?? 0;
    if (!ignorable.test(character))
      for (const file of fontFilesFor(codePoint, style)) {
        await this.#load(file);
        // A range may contain characters that the font lacks.
        if (this.#face(file, 400).has(codePoint)) return file;
      }
    return this.#lastResort;
  }

  async #load(file: FontFile): Promise<void> {
    if (this.#loaded.has(file.path)) return;
    // Copied, because the result is a view of memory that the next call reuses.
    const content = (await decompress(readFileSync(file.path))).slice();
    const face = new harfbuzz.Face(new harfbuzz.Blob(content));
    this.#loaded.set(file.path, { content, face, faces: new Map() });
  }

  #face(file: FontFile = this.#lastResort, weight: Weight): FontFace {
    const loaded = this.#loaded.get(file.path);
    if (!loaded) throw new Error('the font was not prepared');
    const known = loaded.faces.get(weight);
    if (known) return known;
    const face = new FontFace(file, loaded.content, loaded.face, weight);
    loaded.faces.set(weight, face);
    return face;
  }
}

const keyOf = (character: string, style: HanStyle): string => `${style} ${character}`;

function hanStyleOf(text: string): HanStyle {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp';
  return /\p{Script=Hangul}/u.test(text) ? 'kr' : 'sc';
}
