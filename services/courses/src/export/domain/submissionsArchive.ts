import type { ExportSubmissionsPart } from '@gradeway/proto/submissions';
import type { Clock } from '@gradeway/shared/http/timestamps';
import type { ZipEntry } from '@gradeway/shared/zip/writeZip';
import { createArchivePaths } from './archivePaths.ts';
import { SubmissionsManifest, submittedAt } from './submissionsManifest.ts';
import { type ArchiveRequest, type SubmissionKind, splitFiles } from './submittedFiles.ts';

interface Source {
  kind: SubmissionKind;
  parts: AsyncGenerator<ExportSubmissionsPart, void, void>;
}

/**
 * The entries of an archive of the submissions of a course, which ends with `manifest.csv`. A file is asked for when the
 * content of the one before has been read, so memory does not grow with their number or size.
 */
export async function* submissionsArchive(
  sources: Source[],
  clock: Clock,
  options: Pick<ArchiveRequest, 'annotated' | 'bom'>,
): AsyncGenerator<ZipEntry> {
  const manifest = new SubmissionsManifest(clock, options);
  for (const { kind, parts } of sources) {
    const pathOf = createArchivePaths(kind);
    for await (const file of splitFiles(parts)) {
      const path = pathOf(file);
      if (!file.missing) yield { path, modifiedAt: submittedAt(file), content: () => file.content };
      // The line of a file says whether its copy is there.
      if (!file.isCopy) manifest.add(kind, path, file);
    }
  }
  const content = () => manifest.content();
  yield { path: 'manifest.csv', modifiedAt: new Date(), content, isCompressed: true };
}
