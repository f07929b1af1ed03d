import type { AuthServiceClient } from '@gradeway/proto/auth';
import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import type { serviceSettings } from '@gradeway/shared/config/serviceSettings';
import { openDatabase } from '@gradeway/shared/database/connection';
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
import { RosterRepository } from './data/rosterRepository.ts';
import type { ImportDependencies } from './dependencies.ts';
import { startFinishingImports } from './domain/finishImports.ts';

type Settings = typeof importSettings & Pick<typeof serviceSettings, 'databaseUrl' | 'databaseWait'>;

interface Shared {
  sequelize: Sequelize;
  outbox: Outbox;
  audit: AuditTrail;
  auth: GrpcClient<AuthServiceClient>;
}

/** Sets up the OneRoster import and starts the job that finishes interrupted imports. */
export async function openImport(
  { config, log, onStop }: ProcessContext<ConfigOf<Settings>>,
  { sequelize, outbox, audit, auth }: Shared,
): Promise<ImportDependencies> {
  const uploadDirectory = config.importDirectory;
  onStop('the cleanup of import uploads', await prepareUploadDirectory(uploadDirectory, log));
  // A statement over thousands of rows may take longer than other requests may wait, and must not occupy their
  // connections.
  const bulkDatabase = openDatabase({
    url: config.databaseUrl,
    name: 'courses import',
    pool: 3,
    statementTimeoutMs: 25_000,
    waitMs: config.databaseWait,
  });
  onStop('the connections of imports', () => bulkDatabase.close());
  const dependencies: ImportDependencies = {
    sequelize: bulkDatabase,
    outbox,
    audit,
    log,
    imports: new ImportRepository(sequelize),
    plans: new PlanRepository(bulkDatabase),
    commits: new CommitRepository(bulkDatabase),
    rosters: new RosterRepository(bulkDatabase),
    teachersCreateAccounts: config.teachersCreateAccounts,
    accounts: createAccountImportClient(auth),
    limits: {
      maxBytes: config.importMaxBytes,
      maxRows: config.importMaxRows,
      maxPasswords: config.importMaxPasswords,
    },
    uploadDirectory,
  };
  onStop('the job that finishes imports', startFinishingImports(dependencies));
  return dependencies;
}
