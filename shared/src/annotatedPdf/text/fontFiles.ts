import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file of a font package. Covers the characters in the given ranges. */
export interface FontFile {
  path: string;
  /** Whether it has more than one weight. */
  isVariable: boolean;
  ranges: readonly (readonly [first: number, last: number])[];
}

interface Family {
  /** The npm package. */
  name: string;
  isVariable: boolean;
  /** The names of the files to use; the others duplicate characters of Noto Sans. */
  subsets: RegExp;
  /** Replaces the package's own ranges if they are wrong. */
  ranges?: FontFile['ranges'];
}

const numbered = /^\[\d+\]$/;
const variable = (name: string, subsets: RegExp | string): Family => ({
  name: `@fontsource-variable/noto-${name}`,
  isVariable: true,
  subsets: typeof subsets === 'string' ? new RegExp(`^${subsets}$`) : subsets,
});
const fixed = (name: string, subsets: RegExp): Family => ({
  name: `@fontsource/noto-${name}`,
  isVariable: false,
  subsets,
});

const scripts = [
  ...['arabic', 'armenian', 'bengali', 'ethiopic', 'georgian', 'gujarati', 'gurmukhi', 'hebrew', 'kannada'],
  ...['khmer', 'lao', 'malayalam', 'myanmar', 'oriya', 'sinhala', 'tamil', 'telugu', 'thaana', 'thai'],
];
const base = [variable('sans', /./), ...scripts.map((script) => variable(`sans-${script}`, script))];
// The package lists only the Latin characters, but the file has 3,000 more.
const math: Family = {
  ...fixed('sans-math', /./),
  ranges: [
    [0x2070, 0x2bff],
    [0x1d400, 0x1d7ff],
    [0x1ee00, 0x1eeff],
  ],
};
const symbols = [variable('sans-symbols', 'symbols'), math, fixed('sans-symbols-2', /^(?!latin)/)];
const emoji = [variable('emoji', numbered)];

/** Han characters look different in Chinese, Japanese and Korean text, but share code points. */
export type HanStyle = 'sc' | 'tc' | 'jp' | 'kr';
const hanStyles: readonly HanStyle[] = ['sc', 'tc', 'jp', 'kr'];
const han = (style: HanStyle) => variable(`sans-${style}`, numbered);

const { resolve } = createRequire(import.meta.url);
const opened = new Map<string, FontFile[]>();

/** Yields the files that may have a character, best match first. */
export function* fontFilesFor(codePoint: number, style: HanStyle): Generator<FontFile, undefined> {
  const cjk = [style, ...hanStyles.filter((other) => other !== style)].map(han);
  const isEmoji = /\p{Emoji_Presentation}/u.test(String.fromCodePoint(codePoint));
  const families = isEmoji
    ? [...emoji, ...base, ...symbols, ...cjk]
    : [...base, ...symbols, ...cjk, ...emoji];
  for (const family of families)
    for (const file of filesOf(family))
      if (file.ranges.some(([first, last]) => first <= codePoint && codePoint <= last)) yield file;
}

/** The font file with the replacement glyph for characters that no font has. */
export function lastResort(): FontFile {
  const { value: file } = fontFilesFor(0x41, 'sc').next();
  if (!file) throw new Error('the font packages are not installed');
  return file;
}

function filesOf(family: Family): FontFile[] {
  const known = opened.get(family.name);
  if (known) return known;
  const files = readFamily(family);
  opened.set(family.name, files);
  return files;
}

function readFamily({ name, isVariable, subsets, ranges: known }: Family): FontFile[] {
  const ranges: Record<string, string> = JSON.parse(readFileSync(resolve(`${name}/unicode.json`), 'utf8'));
  const short = name.slice(name.indexOf('/') + 1);
  const style = isVariable ? 'wght' : '400';
  return Object.entries(ranges)
    .filter(([subset]) => subsets.test(subset))
    .map(([subset, text]) => ({
      path: resolve(`${name}/files/${short}-${subset.replace(/[[\]]/g, '')}-${style}-normal.woff2`),
      isVariable,
      ranges: known ?? parseRanges(text),
    }));
}

// CSS syntax: U+25CC,U+0900-097F.
const parseRanges = (text: string) =>
  text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
