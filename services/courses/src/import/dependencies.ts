import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Logger } from '@gradeway/shared/process/logger';
import type { Sequelize } from 'sequelize';
import type { AccountImportClient } from './clients/accountImportClient.ts';
import type { CommitRepository } from './data/commitRepository.ts';
import type { ImportRepository } from './data/importRepository.ts';
import type { PlanRepository } from './data/planRepository.ts';
import type { RosterRepository } from './data/rosterRepository.ts';

interface ImportLimits {
  maxBytes: number;
  maxRows: number;
  maxPasswords: number;
}

export interface ImportDependencies {
  sequelize: Sequelize;
  outbox: Outbox;
  audit: AuditTrail;
  log: Logger;
  imports: ImportRepository;
  plans: PlanRepository;
  commits: CommitRepository;
  rosters: RosterRepository;
  accounts: AccountImportClient;
  limits: ImportLimits;
  /** Whether rosters uploaded by teachers create accounts, as administrators' rosters do. */
  teachersCreateAccounts: boolean;
  /** The directory for uploaded archives while they are read. */
  uploadDirectory: string;
}
