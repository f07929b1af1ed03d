import type { Sequelize } from 'sequelize';
import { measureDisk } from '../metrics/disk.ts';
import { createPdfChecker, type PdfChecker } from '../pdf/pdfChecker.ts';
import type { ConfigOf } from '../readConfig.ts';
import type { Process } from '../runProcess.ts';
import { createUrlSigner, type UrlSigner } from '../signedUrl.ts';
import { prepareArrivals } from './arrivals.ts';
import { FileLibrary } from './fileLibrary.ts';
import type { fileSettings } from './fileSettings.ts';
import { openFileStore } from './openFileStore.ts';

export interface Files {
  files: FileLibrary;
  pdf: PdfChecker;
  /** Signs the addresses of this service's files, and of no other's. */
  signer: UrlSigner;
}

/** What a service needs that takes files in: where they arrive, their check, where they stay, who may open them. */
export async function openFiles(
  process: Process<ConfigOf<typeof fileSettings>>,
  service: 'homework' | 'quiz',
  sequelize: Sequelize,
): Promise<Files> {
  const { config, log, onStop } = process;
  onStop('the sweep of what arrives', await prepareArrivals(config.uploadDirectory, log));
  onStop('measuring the disk', measureDisk('arriving', config.uploadDirectory));
  const files = new FileLibrary(sequelize, await openFileStore(process), log);
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
