import type { ScannedPage } from './scannedPdf.ts';

type Curve = [x: number, y: number][];

// What students answer to the three questions of the quiz, from right to wrong.
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

/** One of the students' sheets: what they know depends on the number, and so does how long they write. */
export function quizAnswers(number: number): ScannedPage[] {
  const pick = <T>(variants: readonly T[], each: number) =>
    variants[Math.floor(number / each) % variants.length] as T;
  const first = answer('1.', pick(definitions, 1), 4);
  const second = answer('2.', pick(examples, 2), 10);
  const third = answer('3.', pick(symmetries, 3), 3);
  const pages: ScannedPage[] = [
    { lines: [...first, ...second], figures: number % 2 === 1 ? square(120, 165) : [] },
    { lines: third, figures: triangle(105, 120), isSideways: number % 7 === 4 },
  ];
  if (number % 4 === 0) pages.push({ lines: answer('', calculation, 3) });
  return pages;
}

/** The pages of a homework: a proof, of one page or two. */
export function homeworkAnswers(number: number): ScannedPage[] {
  const proof = [
    'Let G have p elements, p prime, and a ∈ G',
    'with a different from e. The powers of a are a',
    'subgroup H. By Lagrange its order divides p,',
    'so it is 1 or p. It is not 1, since a is in H.',
    'Hence H = G, and G is cyclic.',
  ];
  const remark = ['Remark: a can be any element but e,', 'so G has p - 1 generators.'];
  const pages: ScannedPage[] = [{ lines: answer('1.', proof, 4), figures: square(60, 140) }];
  return number % 2 === 0 ? [...pages, { lines: answer('2.', remark, 4) }] : pages;
}

/** The same as text, by those who type. */
export const typed = (pages: readonly ScannedPage[]): string[] =>
  pages.flatMap(({ lines }) => lines.map(({ text }) => text)).map((line) => toLatin1(line));

// The fonts that every reader has know no more characters.
const toLatin1 = (line: string): string =>
  line.replaceAll('∈', 'in').replaceAll('→', 'to').replaceAll('⁻¹', "'");

// Paper is ruled every 9 mm.
const answer = (number: string, lines: readonly string[], row: number): ScannedPage['lines'] =>
  lines.map((text, index) => ({
    text: index === 0 && number ? `${number} ${text}` : text,
    at: [index === 0 && number ? 20 : 27, (row + index) * 9 - 0.5],
  }));

function triangle(x: number, y: number): Curve[] {
  const corners: Curve = [
    [x, y],
    [x + 32, y + 54],
    [x - 31, y + 55],
  ];
  const sides = corners.map((corner, index): Curve => [corner, corners[(index + 1) % 3] ?? corner]);
  const axes = corners.map(
    ([cx, cy]): Curve => [
      [cx, cy],
      [x + (x - cx) * 0.62 + 0.5, y + 36 + (y + 36 - cy) * 0.62],
    ],
  );
  return [...sides, ...axes];
}

function square(x: number, y: number): Curve[] {
  const corners: Curve = [
    [x, y],
    [x + 40, y + 1],
    [x + 41, y + 40],
    [x - 1, y + 41],
  ];
  const sides = corners.map((corner, index): Curve => [corner, corners[(index + 1) % 4] ?? corner]);
  const arrow: Curve[] = [
    [
      [x + 30, y + 12],
      [x + 20, y + 8],
      [x + 9, y + 15],
      [x + 9, y + 27],
      [x + 18, y + 33],
    ],
    [
      [x + 13, y + 34],
      [x + 18, y + 33],
      [x + 16, y + 28],
    ],
  ];
  return [...sides, ...arrow];
}
