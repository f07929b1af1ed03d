/** A one-page PDF of exactly the given number of bytes, at least 1,000. A comment fills its page like a scan. */
export function makePdf(bytes: number): string {
  const before = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>/Contents 4 0 R>>',
  ];
  const content = (size: number) => `<</Length ${size}>>stream\n%${'.'.repeat(size - 2)}\n\nendstream`;
  const withContent = (size: number) => assemble([...before, content(size)]);
  // The file contains two numbers that depend on its length: the Length of the content, and the offset of the table.
  let size = bytes - withContent(2).length + 2;
  for (let file = withContent(size); ; file = withContent(size)) {
    if (file.length === bytes) return file;
    if (file.length < bytes) return `${file.slice(0, -1)}${' '.repeat(bytes - file.length)}\n`;
    size -= file.length - bytes;
  }
}

function assemble(objects: string[]): string {
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`;
  return `${file}${table}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
}
