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
 * Yields the entries of an archive of a course's submissions, ending with `manifest.csv`. A file is requested only
 * after the previous one has been read, so memory use does not grow with their number or size.
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
      // A copy has no separate row: the row of its file lists it.
      if (!file.isCopy) manifest.add(kind, path, file);
    }
  }
  const content = () => manifest.content();
  yield { path: 'manifest.csv', modifiedAt: new Date(), content, isCompressed: true };
}
