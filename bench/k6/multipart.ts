const boundary = 'a-boundary-of-the-load-test';

/** A form whose fields precede its file, because k6 sends the properties of an object in arbitrary order. */
export function multipart(
  fields: Record<string, string>,
  file?: { name: string; content: string },
): { body: string; contentType: string } {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  if (file)
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\n` +
        `Content-Type: application/pdf\r\n\r\n${file.content}\r\n`,
    );
  return {
    body: `${parts.join('')}--${boundary}--\r\n`,
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
