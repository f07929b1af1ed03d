import { readFile } from 'node:fs/promises';
import type { Mark } from '@gradeway/shared/annotatedPdf/mark';
import type { LibraryFile } from '@gradeway/shared/files/fileLibrary';
import { plainPdf } from '@gradeway/test/plainPdf';
import { boundsOf, isColored, renderWithPoppler, textOf } from '@gradeway/test/renderedPage';
import { samplePdf } from '@gradeway/test/samplePdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRenderer, type TestRenderer } from './openRenderer.ts';
import { renderWithPdfium } from './renderWithPdfium.ts';

let renderer: TestRenderer;
beforeAll(async () => {
  renderer = await openRenderer();
});
afterAll(() => renderer.close());

const highlight = ({ id: fileId }: LibraryFile, page = 1): Mark => ({
  fileId,
  page,
  kind: 'highlight',
  rect: [500, 20, 30, 30],
});
const other = () => renderer.file(plainPdf([{ content: 'BT /F1 24 Tf 100 700 Td (Other) Tj ET' }]));
const isInk = ([red, green, blue]: readonly [number, number, number]) => red + green + blue < 200;

/** Whether a page of 842 points has black between two heights above its lower edge. */
async function hasInk(path: string, page: number, [from, to]: [number, number]): Promise<boolean> {
  const renderers = [renderWithPoppler, renderWithPdfium];
  const shown = await Promise.all(
    renderers.map(async (render) => {
      const { at, width } = await render(path, page);
      const part = { width, height: to - from, at: (x: number, y: number) => at(x, y + 842 - to) };
      return boundsOf(part, isInk) !== undefined;
    }),
  );
  expect(new Set(shown).size).toBe(1);
  return shown.includes(true);
}

/** Annotates a file, alone or between two others, and returns the path and the number of its first page. */
const placements: [string, (file: LibraryFile, marks: Mark[]) => Promise<[string, number]>][] = [
  ['alone', async (file, marks) => [await renderer.render([file], marks), 1]],
  [
    'between others',
    async (file, marks) => [await renderer.render([await other(), file, await other()], marks), 2],
  ],
];

describe.each(placements)('a file %s', (_, draw) => {
  test.each([true, false])('form values are kept on a marked page: %s', async (isMarked) => {
    const file = await renderer.file(await samplePdf('form_without_appearance'));
    const [path, page] = await draw(file, isMarked ? [highlight(file)] : []);
    expect(await textOf(path, page)).toContain('FORMVALUE42');
    expect(await hasInk(path, page, [500, 530])).toBe(true);
  });

  test.each([true, false])('hidden layers stay hidden, on a marked page: %s', async (isMarked) => {
    const file = await renderer.file(await samplePdf('hidden_layer'));
    const [path, page] = await draw(file, isMarked ? [highlight(file)] : []);
    expect(await hasInk(path, page, [640, 690])).toBe(false);
    expect(await hasInk(path, page, [730, 770])).toBe(true);
  });

  test.each([
    ['off by default', '/BaseState/OFF/ON[6 0 R]', [false, true]],
    ['on by default', '/OFF[6 0 R]', [true, false]],
    ['on by default without a list', '', [true, true]],
  ] as const)('an annotated file keeps its layers when they are %s', async (_state, initial, visible) => {
    const file = await renderer.file(twoLayers(initial));
    const [path, page] = await draw(file, [highlight(file)]);
    expect([await hasInk(path, page, [690, 730]), await hasInk(path, page, [490, 530])]).toEqual(visible);
  });

  test('a file with an owner password is annotated and opens without a password', async () => {
    const file = await renderer.file(await samplePdf('owner_password'));
    const [path, page] = await draw(file, [highlight(file)]);
    expect(await textOf(path, page)).toContain('Plain p1');
    expect(await textOf(path, page + 1)).toContain('Plain p2');
    expect(boundsOf(await renderWithPoppler(path, page), isColored)).toBeDefined();
    expect(await readFile(path, 'latin1')).not.toContain('/Encrypt');
  });

  test('a portfolio is annotated on its cover', async () => {
    const file = await renderer.file(await samplePdf('portfolio'));
    const [path, page] = await draw(file, [highlight(file)]);
    expect(await textOf(path, page)).toContain('Plain p1');
    expect(await readFile(path, 'latin1')).not.toMatch(/Collection|EmbeddedFile/);
  });

  test('an annotated file has no active content on any page', async () => {
    const file = await renderer.file(activeContent());
    const [path, page] = await draw(file, [highlight(file, 2)]);
    const copy = await readFile(path, 'latin1');
    for (const trace of traces) expect(copy, trace).not.toContain(trace);
    for (const [index, text] of ['First', 'Second'].entries())
      expect(await textOf(path, page + index)).toContain(text);
    // Resources may have the names of actions.
    expect(await hasInk(path, page, [100, 150])).toBe(true);
  });
});

test('a mark on one page does not appear on pages that share or inherit its content', async () => {
  const file = await renderer.file(sharingPages());
  // Above the upper edge of a US letter page, which PDFium assumes for a page without a box.
  const mark: Mark = { ...highlight(file, 2), rect: [500, 800, 30, 30] };
  const path = await renderer.render([file], [mark]);
  const isYellow = ([red, , blue]: readonly [number, number, number]) => red > 200 && blue < 200;
  const bounds = [1, 2].map(async (page) => boundsOf(await renderWithPoppler(path, page), isYellow));
  expect(await Promise.all(bounds)).toEqual([undefined, { left: 500, right: 530, top: 12, bottom: 42 }]);
  for (const page of [1, 2]) expect(await textOf(path, page)).toContain('Shared');
});

const traces = [
  ...['/AA', '/OpenAction', '/JavaScript', '/JS', 'javascript:', 'app.alert', '/Launch', '/GoToR', '/GoToE'],
  ...['/SubmitForm', '/ImportData', '/RichMedia', '/EmbeddedFile', '/FileAttachment', '/Filespec', 'evil'],
  ...['/Names', '/Outlines', '/AcroForm', '/PresSteps', '/Annots', '/URI', '/Metadata', '/PieceInfo', '/AF'],
];

/** Actions and attachments in every place that may have them, on a page with a mark and on one without. */
function activeContent(): Buffer {
  const script = '<</S/JavaScript/JS(app.alert(1))>>';
  const attached = '<</Type/Filespec/F(evil.exe)/EF<</F<</Type/EmbeddedFile>>>>>>';
  const rect = '/Type/Annot/Rect[10 10 50 50]/F 4';
  const annotations = [
    `<<${rect}/Subtype/Link/A<</S/URI/URI(javascript:app.alert\\(1\\))>>>>`,
    `<<${rect}/Subtype/Link/A<</S/Launch/F(evil.exe)>>>>`,
    `<<${rect}/Subtype/Link/A<</S/GoToR/F(evil.pdf)/D[0/Fit]>>>>`,
    `<<${rect}/Subtype/Link/A<</S/GoToE/T<</R/C/N(evil)>>/D[0/Fit]>>/PA<</S/URI/URI(http://evil)>>>>`,
    `<<${rect}/Subtype/FileAttachment/FS${attached}>>`,
    `<<${rect}/Subtype/RichMedia/RichMediaContent<</Assets<</Names[(evil)${attached}]>>>>>>`,
    `<<${rect}/Subtype/Screen/A<</S/Rendition/JS(app.alert\\(1\\))>>/AA<</PO${script}>>>>`,
    `<<${rect}/Subtype/Widget/FT/Btn/T(go)/A<</S/SubmitForm/F(http://evil)>>/AA<</E<</S/ImportData/F(evil)>>>>>>`,
  ];
  const entries = `/AA<</O${script}/C<</S/Launch/F(evil.exe)>>>>/PresSteps<</Type/NavNode/NA${script}>>
/AF[${attached}]/PieceInfo<</Evil${script}>>/Metadata<</Type/Metadata/V(evil)>>`;
  const page = (text: string, extra = '') => ({
    content: `BT /F1 24 Tf 100 700 Td (${text}) Tj ET 50 110 100 20 re f ${extra}`,
    annotations,
    entries,
  });
  return plainPdf([page('First'), page('Second')], {
    catalog: `/OpenAction${script}/AA<</WC${script}>>/Outlines<</First<</Title(evil)/A${script}>>>>
/Names<</JavaScript<</Names[(evil)${script}]>>/EmbeddedFiles<</Names[(evil.exe)${attached}]>>>>
/AcroForm<</Fields[<</T(evil)/FT/Tx/AA<</C${script}>>>>]>>/AF[${attached}]/Metadata<</Type/Metadata/V(evil)>>`,
  });
}

/** Text in two layers, at 700 and at 500 points. */
function twoLayers(initial: string): Buffer {
  const content = `/OC /A BDC BT /F1 30 Tf 72 700 Td (First) Tj ET EMC
/OC /B BDC BT /F1 30 Tf 72 500 Td (Second) Tj ET EMC`;
  return Buffer.from(`%PDF-1.5
1 0 obj<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[5 0 R 6 0 R]/D<<${initial}/Order[5 0 R 6 0 R]>>>>>>endobj
2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R
/Resources<</Font<</F1 7 0 R>>/Properties<</A 5 0 R/B 6 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream
endobj
5 0 obj<</Type/OCG/Name(A)>>endobj
6 0 obj<</Type/OCG/Name(B)>>endobj
7 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>`);
}

/** Two pages that share a resource dictionary, in which a font has the name of an action. */
function sharingPages(): Buffer {
  return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 595 842]>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources 6 0 R>>endobj
4 0 obj<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources 6 0 R>>endobj
5 0 obj<</Length 40>>stream
BT /JS 18 Tf 60 200 Td (Shared) Tj ET   
endstream
endobj
6 0 obj<</Font<</JS 7 0 R>>>>endobj
7 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>`);
}
