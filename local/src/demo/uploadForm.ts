export interface Upload {
  name: string;
  content: Buffer;
}

/**
 * Creates a multipart form. The fields come first, so that the service can refuse an upload before the file is sent.
 */
export function uploadForm(
  field: string,
  files: readonly Upload[],
  fields: Record<string, string> = {},
): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  for (const { name, content } of files)
    data.append(field, new Blob([new Uint8Array(content)], { type: 'application/pdf' }), name);
  return data;
}

/** Formats a time as clients send it: in UTC, `days` days from now. */
export const daysFromNow = (days: number): string =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)}Z`;
