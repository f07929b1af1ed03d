import { answerOf } from '../../shared/api/client.ts';

type Reading = Promise<{ data?: Blob; error?: unknown; response: Response }>;

/**
 * Saves what a request answers as a file. The browser holds it as a whole before it is saved, since only a request of the
 * application carries the token: a gradebook has a few megabytes, the data of a person may have a few hundred.
 */
export async function saveAnswer(call: Reading, name: string): Promise<void> {
  const { body } = await answerOf(call);
  const url = URL.createObjectURL(body);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to save it by then; an address that is kept would keep the bytes.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
