import { responseOf } from '../api/client.ts';

type Reading = Promise<{ data?: Blob; error?: unknown; response: Response }>;

/**
 * Saves a response as a file. Only requests from the application carry the token, so the browser must hold the whole
 * file before saving it: a few megabytes for a gradebook, perhaps a few hundred for a user's data.
 */
export async function saveResponse(call: Reading, name: string): Promise<void> {
  const { body } = await responseOf(call);
  const url = URL.createObjectURL(body);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has started to save the file. Without revoking, the URL would keep the bytes in memory.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
