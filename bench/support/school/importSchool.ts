import { writeZip } from '@gradeway/shared/zip/writeZip';
import type { BenchProcess } from '../processes/benchProcess.ts';

/**
 * Imports the files of a OneRoster archive, first as a dry run and then for real. Returns the seconds of both.
 * @throws Error
 */
export async function importSchool(
  { url }: BenchProcess,
  token: string,
  school: Record<string, string>,
): Promise<number> {
  const chunks: Buffer[] = [];
  const modifiedAt = new Date();
  const entries = Object.entries(school).map(([path, text]) => ({
    path,
    modifiedAt,
    isCompressed: true,
    content: () => [Buffer.from(text)],
  }));
  for await (const chunk of writeZip(entries)) chunks.push(chunk);
  const headers = { authorization: `Bearer ${token}` };
  const post = async (query: string, type: string, body: string | Buffer) => {
    const answer = await fetch(`${url}/api/v3/admin/import${query}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body: body as string,
    });
    if (!answer.ok) throw new Error(`the import failed with status ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { data: { token: string; state: string } };
  };
  const startedAt = performance.now();
  const plan = await post('?dry_run=1', 'application/zip', Buffer.concat(chunks));
  const { data } = await post('', 'application/json', JSON.stringify({ token: plan.data.token }));
  if (data.state !== 'done') throw new Error(`the import is ${data.state}`);
  return (performance.now() - startedAt) / 1_000;
}
