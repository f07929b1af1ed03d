import PDFDocument from 'pdfkit';

interface Options {
  lines?: string[];
  /** Min size of the file, to simulate a scan. */
  bytes?: number;
  /** Encrypts the file. */
  password?: string;
  /** Also encrypts the file, which still opens without a password. */
  ownerPassword?: string;
}

/** Creates a one-page PDF with a title and a few lines. */
export function makePdf(
  title: string,
  { lines = [], bytes = 0, password, ownerPassword }: Options = {},
): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    compress: false,
    ...(password ? { userPassword: password } : {}),
    ...(ownerPassword ? { ownerPassword } : {}),
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const content = new Promise<Buffer>((resolve, reject) => {
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  document.fontSize(20).text(title).moveDown().fontSize(12);
  for (const line of lines) document.text(line);
  if (bytes > 0) document.addContent(`% ${'.'.repeat(bytes)}`);
  document.end();
  return content;
}
