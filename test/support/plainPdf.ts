/** A page exactly as it is written, so that tests know every number in it. */
export interface PlainPage {
  mediaBox?: readonly [number, number, number, number];
  cropBox?: readonly [number, number, number, number];
  rotate?: 0 | 90 | 180 | 270;
  /** Operators of its content stream; none by default. */
  content?: string;
  /** Dictionaries of its annotations. */
  annotations?: string[];
  /** Further entries of its dictionary. */
  entries?: string;
  /** Bytes of an image that covers the page, as a scan does. */
  scan?: Buffer;
}

interface Options {
  /** Written instead of the dictionary of the page with this index. */
  damagedPage?: number;
  /** Further entries of the catalog. */
  catalog?: string;
}

/** Creates a PDF without compression. */
export function plainPdf(pages: readonly PlainPage[], { damagedPage, catalog = '' }: Options = {}): Buffer {
  const objects: Buffer[] = [];
  const add = (text: string | Buffer): number => objects.push(Buffer.from(text as string));
  const stream = (dictionary: string, content: Buffer) =>
    add(
      Buffer.concat([
        Buffer.from(`<<${dictionary}/Length ${content.length}>>stream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    );
  add(`<</Type/Catalog/Pages 2 0 R${catalog}>>`);
  // The page tree, once its pages are known.
  add('');
  const kids = pages.map((page, index) => {
    const scan = page.scan && stream(imageOf(page.scan), page.scan);
    const drawing = `${scan ? `q ${size(page).join(' 0 0 ')} 0 0 cm /Scan Do Q ` : ''}${page.content ?? ''}`;
    const contents = stream('', Buffer.from(drawing));
    if (index === damagedPage) return add('(this is no page)');
    const [box, crop] = [page.mediaBox ?? a4, page.cropBox].map((each) => each && `[${each.join(' ')}]`);
    return add(
      `<</Type/Page/Parent 2 0 R/MediaBox${box}${crop ? `/CropBox${crop}` : ''}/Rotate ${page.rotate ?? 0}
/Contents ${contents} 0 R/Resources<<${scan ? `/XObject<</Scan ${scan} 0 R>>` : ''}/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>
/Annots[${(page.annotations ?? []).join(' ')}]${page.entries ?? ''}>>`,
    );
  });
  objects[1] = Buffer.from(
    `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`,
  );
  return withTable(objects);
}

const a4 = [0, 0, 595, 842] as const;

function size({ mediaBox = a4 }: PlainPage): [number, number] {
  return [mediaBox[2] - mediaBox[0], mediaBox[3] - mediaBox[1]];
}

// A grey square.
function imageOf(scan: Buffer): string {
  const side = Math.floor(Math.sqrt(scan.length));
  return `/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceGray/BitsPerComponent 8`;
}

function withTable(objects: Buffer[]): Buffer {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const push = (part: Uint8Array) => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    push(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  push(
    Buffer.from(`${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}
