import type { Sequelize } from 'sequelize';
import { AnnotatedPdfs } from '../annotatedPdf/annotatedPdfs.ts';
import { createPdfRenderer, type PdfRenderer } from '../annotatedPdf/pdfRenderer.ts';
import type { ConfigOf } from '../config/readConfig.ts';
import { query } from '../database/query.ts';
import { measureDisk } from '../files/diskMetrics.ts';
import { FileLibrary } from '../files/fileLibrary.ts';
import type { fileSettings } from '../files/fileSettings.ts';
import { openFileStore } from '../files/openFileStore.ts';
import { createPdfChecker, createPdfSlots, type PdfChecker } from '../files/pdfChecker.ts';
import { createPdfMeasurer, type PdfMeasurer } from '../files/pdfMeasurer.ts';
import { createUrlSigner, type UrlSigner } from '../files/signedUrl.ts';
import { prepareUploadDirectory } from '../files/uploadDirectory.ts';
import { UploadLimits } from '../files/uploadLimits.ts';
import { UploadQueue } from '../files/uploadQueue.ts';
import type { ProcessContext } from '../process/runProcess.ts';

export interface ServiceFiles {
  files: FileLibrary;
  pdf: PdfChecker;
  /** Renders annotated PDFs for archives, without caching them. */
  renderer: PdfRenderer;
  /** Annotated PDFs of submissions, cached until they change. */
  annotated: AnnotatedPdfs;
  /** Measures the pages of stored files. */
  measurer: PdfMeasurer;
  uploadLimits: UploadLimits;
  uploadQueue: UploadQueue;
  /** Signs the file URLs of this service. */
  signer: UrlSigner;
}

/**
 * Opens the parts of a service that store files: upload directory and limits, PDF checker, annotated PDFs, file library and
 * URL signer.
 */
export async function openServiceFiles(
  context: ProcessContext<ConfigOf<typeof fileSettings>>,
  service: 'homework' | 'quiz',
  sequelize: Sequelize,
): Promise<ServiceFiles> {
  const { config, log, onStop } = context;
  onStop('the sweep of the upload directory', await prepareUploadDirectory(config.uploadDirectory, log));
  onStop('the disk metrics', measureDisk('arriving', config.uploadDirectory));
  const files = new FileLibrary(sequelize, await openFileStore(context), log);
  onStop('the sweep of files', files.sweepHourly());
  const slots = createPdfSlots(config.pdfCheckThreads);
  const limits = { cpuSeconds: config.pdfCheckCpuSeconds, memoryMb: config.pdfCheckMemoryMb };
  const pdf = createPdfChecker({ log, slots, ...limits });
  onStop('the PDF checker', () => pdf.close());
  const renderer = createPdfRenderer({ log, files, directory: config.uploadDirectory, slots, ...limits });
  onStop('the PDF renderer', () => renderer.close());
  const measurer = createPdfMeasurer({ files, pdf, directory: config.uploadDirectory });
  const signer = createUrlSigner({
    secret: config.fileUrlSecret,
    secondarySecret: config.fileUrlSecretSecondary,
    purpose: `${service} file${await latestRestore(sequelize)}`,
    ttlMs: config.fileUrlTtl,
  });
  const uploadLimits = new UploadLimits({
    perUser: config.uploadsPerUser,
    maxFileBytes: config.maxUploadBytes,
    uploadDirectory: config.uploadDirectory,
    storeDirectory: config.s3Bucket ? undefined : config.filesDirectory,
  });
  // One more than the limits allow, so that an upload that exceeds them is rejected instead of waiting.
  const uploadQueue = new UploadQueue({ slots: config.uploadsAtOnce, perUser: config.uploadsPerUser + 1 });
  const annotated = new AnnotatedPdfs({ sequelize, files, renderer });
  return { files, pdf, measurer, renderer, annotated, uploadLimits, uploadQueue, signer };
}

const selectComment = `
  SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = current_schema()`;

/**
 * Returns the mark that a restore wrote to the schema (backup/src/prepareRecovered.ts), which invalidates earlier file links.
 * Empty if the installation was never restored.
 */
async function latestRestore(sequelize: Sequelize): Promise<string> {
  const [schema] = await query<{ comment: string | null }>(sequelize, { sql: selectComment });
  return schema?.comment ?? '';
}
