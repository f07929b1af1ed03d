import PDFDocument from 'pdfkit';

interface Options {
  lines?: string[];
  /** Makes the file at least this large, as a scan would be. */
  bytes?: number;
  /** Without it nobody can open the file. */
  password?: string;
}

/** Makes a real PDF: a page with a title and some lines. */
export function makePdf(title: string, { lines = [], bytes = 0, password }: Options = {}): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    compress: false,
    ...(password ? { userPassword: password } : {}),
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const made = new Promise<Buffer>((resolve, reject) => {
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  document.fontSize(20).text(title).moveDown().fontSize(12);
  for (const line of lines) document.text(line);
  if (bytes > 0) document.addContent(`% ${'.'.repeat(bytes)}`);
  document.end();
  return made;
}
