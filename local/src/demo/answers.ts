import { square, triangle } from './figures.ts';
import type { ScannedPage } from './scannedPdf.ts';

// Student answers to the three questions of the quiz, from right to wrong.
const definitions = [
  [
    'A group is a set G with an operation · so that',
    '(a · b) · c = a · (b · c) for all a, b, c,',
    'some e has e · a = a · e = a for every a ∈ G,',
    'and each a has an inverse: a · a⁻¹ = e.',
  ],
  [
    'A group is a set with an operation. There is',
    'an identity e, and for every element a',
    'another one, a⁻¹, with a · a⁻¹ = e.',
  ],
  ['It is a set G and an operation so that', 'a · (b · c) = (a · b) · c, and e · a = a.'],
];
const examples = [
  [
    'Example: (Z, +). The sum of integers is one,',
    'addition is associative, 0 is the identity,',
    'and the inverse of a is -a.',
  ],
  ['For example the rotations of a square:', 'by 0, 90, 180 and 270. They form a group of', 'order 4.'],
  ['The natural numbers N with +, because', 'a + b is again in N, and 0 + a = a.'],
];
const symmetries = [
  [
    'The triangle has six symmetries: three turns',
    '(by 0, 120, 240) and three reflections s, t, u,',
    'one for each axis. Turns: r, r · r, r · r · r = e.',
    'So s · r = r⁻¹ · s, and it is not abelian.',
  ],
  ['Turns by 120 and 240, and three reflections.', 'That makes five symmetries.'],
];
const calculation = [
  'Check: s · r sends A → B → B, and B → C → A,',
  'while r · s sends A → A → B, B → C → A.',
  'No: first A → B, then B → A. So s · r and',
  'r · s are two different reflections, as I said.',
];

/** Returns a student's answers to the quiz about groups. Their quality and length depend on the student's number. */
export function groupAnswers(number: number): ScannedPage[] {
  const first = answer('1.', pick(definitions, number), 4);
  const second = answer('2.', pick(examples, Math.floor(number / 2)), 10);
  const third = answer('3.', pick(symmetries, Math.floor(number / 3)), 3);
  const pages: ScannedPage[] = [
    { lines: [...first, ...second], figures: number % 2 === 1 ? square(120, 165) : [] },
    { lines: third, figures: triangle(105, 120), isSideways: number % 7 === 4 },
  ];
  if (number % 4 === 0) pages.push({ lines: answer('', calculation, 3) });
  return pages;
}

const ideals = [
  ['A subset I of R that contains 0 and sums, and', 'with x ∈ I also r · x and x · r for all r ∈ R.'],
  ['An ideal is a subring that absorbs products:', 'r · x ∈ I for x ∈ I and r ∈ R.'],
];
const idealsOfTwelve = [
  ['(1), (2), (3), (4), (6) and (0): one for each', 'divisor of 12.'],
  ['(0), (2), (3), (4), (6). There are five.'],
];
const principal = [
  'Yes. Let d be the least positive element of I.',
  'For x ∈ I divide: x = q · d + r, 0 < r < d or r = 0.',
  'Then r = x - q · d ∈ I, so r = 0, and I = (d).',
];

/** Returns a student's answers to the quiz about rings. */
export const ringAnswers = (number: number): ScannedPage[] => [
  { lines: [...answer('1.', pick(ideals, number), 4), ...answer('2.', pick(idealsOfTwelve, number), 9)] },
  { lines: answer('3.', principal, 3) },
];

const lagrange = [
  'Let G have p elements, p prime, and a ∈ G',
  'with a different from e. The powers of a are a',
  'subgroup H. By Lagrange its order divides p,',
  'so it is 1 or p. It is not 1, since a is in H.',
  'Hence H = G, and G is cyclic.',
];
const generators = ['Remark: a can be any element but e,', 'so G has p - 1 generators.'];

/** A one- or two-page proof that a group of prime order is cyclic. */
export const groupProof = (number: number): ScannedPage[] => {
  const first = { lines: answer('1.', lagrange, 4) };
  return number % 2 === 0 ? [first, { lines: answer('2.', generators, 4) }] : [first];
};

const leftInverse = [
  'Let g be a left inverse of f: g(f(x)) = x.',
  'If f(x) = f(y), then x = g(f(x)) = g(f(y)) = y.',
  'So f is injective.',
];
const converse = ['Yes, if the set is not empty: map f(x) to x,', 'and everything else to some fixed a.'];

/** A one- or two-page proof about maps. */
export const mapProof = (number: number): ScannedPage[] => {
  const first = { lines: answer('1.', leftInverse, 4) };
  return number % 2 === 0 ? [first, { lines: answer('2.', converse, 4) }] : [first];
};

/** Returns the same answers as text, for students who type. */
export const typed = (pages: readonly ScannedPage[]): string[] =>
  pages.flatMap(({ lines }) => lines.map(({ text }) => text)).map((line) => toLatin1(line));

// The fonts that every PDF reader includes have no other characters.
const toLatin1 = (line: string): string =>
  line.replaceAll('∈', 'in').replaceAll('→', 'to').replaceAll('⁻¹', "'");

const pick = <T>(variants: readonly T[], number: number): T => variants[number % variants.length] as T;

// Paper is ruled every 9 mm.
const answer = (number: string, lines: readonly string[], row: number): ScannedPage['lines'] =>
  lines.map((text, index) => ({
    text: index === 0 && number ? `${number} ${text}` : text,
    at: [index === 0 && number ? 20 : 27, (row + index) * 9 - 0.5],
  }));
