import { SubmissionsService, type SubmittedFile } from '@gradeway/proto/submissions';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import { serviceSecret } from './fakePeers.ts';

export type Exported = SubmittedFile & { content: Buffer };

/** Calls `ExportSubmissions` of a service as courses does, and reads the stream to its end. */
export async function exportedSubmissions(
  callee: 'homework' | 'quiz',
  address: string,
  courseId: number,
  { annotated = false }: { annotated?: boolean } = {},
): Promise<Exported[]> {
  const options = { address, caller: 'courses', callee, secret: serviceSecret } as const;
  const client = createGrpcStreamClient(SubmissionsService, options);
  const files: Exported[] = [];
  try {
    const { signal } = new AbortController();
    for await (const { file, chunk } of client.read(
      'exportSubmissions',
      { courseId, annotated },
      { signal },
    )) {
      if (file) files.push({ ...file, content: Buffer.alloc(0) });
      const last = files.at(-1);
      if (chunk && last) last.content = Buffer.concat([last.content, chunk]);
    }
    return files;
  } finally {
    client.close();
  }
}
