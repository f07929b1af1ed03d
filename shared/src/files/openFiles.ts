import type { Sequelize } from 'sequelize';
import type { ConfigOf } from '../config/readConfig.ts';
import { measureDisk } from '../metrics/disk.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import { FileLibrary } from './fileLibrary.ts';
import type { fileSettings } from './fileSettings.ts';
import { openFileStore } from './openFileStore.ts';
import { createPdfChecker, type PdfChecker } from './pdfChecker.ts';
import { createUrlSigner, type UrlSigner } from './signedUrl.ts';
import { prepareUploadDirectory } from './uploadDirectory.ts';

export interface Files {
  files: FileLibrary;
  pdf: PdfChecker;
  /** Signs the addresses of this service's files, and of no other's. */
  signer: UrlSigner;
}

/** What a service needs that takes files in: where they arrive, their check, where they stay, who may open them. */
export async function openFiles(
  context: ProcessContext<ConfigOf<typeof fileSettings>>,
  service: 'homework' | 'quiz',
  sequelize: Sequelize,
): Promise<Files> {
  const { config, log, onStop } = context;
  onStop('the sweep of what arrives', await prepareUploadDirectory(config.uploadDirectory, log));
  onStop('measuring the disk', measureDisk('arriving', config.uploadDirectory));
  const files = new FileLibrary(sequelize, await openFileStore(context), log);
  onStop('the sweep of files', files.sweepHourly());
  const pdf = createPdfChecker({ log, timeoutMs: config.pdfCheckTimeout, threads: config.pdfCheckThreads });
  onStop('the PDF checker', () => pdf.close());
  const signer = createUrlSigner({
    secret: config.fileUrlSecret,
    purpose: `${service} file`,
    ttlMs: config.fileUrlTtl,
  });
  return { files, pdf, signer };
}
