import type { AuthServiceClient } from '@gradeway/proto/auth';
import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import type { Outbox } from '@gradeway/shared/events/outbox';
import { prepareUploadDirectory } from '@gradeway/shared/files/uploadDirectory';
import type { GrpcClient } from '@gradeway/shared/grpc/client';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import type { Sequelize } from 'sequelize';
import { createAccountImportClient } from './clients/accountImportClient.ts';
import type { importSettings } from './config.ts';
import { CommitRepository } from './data/commitRepository.ts';
import { ImportRepository } from './data/importRepository.ts';
import { PlanRepository } from './data/planRepository.ts';
import type { ImportDependencies } from './dependencies.ts';
import { startFinishingImports } from './domain/finishImports.ts';

interface Shared {
  sequelize: Sequelize;
  outbox: Outbox;
  auth: GrpcClient<AuthServiceClient>;
}

/** Sets up the OneRoster import and starts the job that finishes interrupted imports. */
export async function openImport(
  { config, log, onStop }: ProcessContext<ConfigOf<typeof importSettings>>,
  { sequelize, outbox, auth }: Shared,
): Promise<ImportDependencies> {
  const uploadDirectory = config.importDirectory;
  onStop('the cleanup of import uploads', await prepareUploadDirectory(uploadDirectory, log));
  const dependencies: ImportDependencies = {
    sequelize,
    outbox,
    log,
    imports: new ImportRepository(sequelize),
    plans: new PlanRepository(sequelize),
    commits: new CommitRepository(sequelize),
    accounts: createAccountImportClient(auth),
    limits: {
      maxBytes: config.importMaxBytes,
      maxRows: config.importMaxRows,
      maxPasswords: config.importMaxPasswords,
      planTtlMs: config.importPlanTtl,
    },
    uploadDirectory,
  };
  onStop('the job that finishes imports', startFinishingImports(dependencies));
  return dependencies;
}
