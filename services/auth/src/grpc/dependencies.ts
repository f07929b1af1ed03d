import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize } from 'sequelize';
import type { ImportRepository } from '../data/importRepository.ts';
import type { RevocationRepository } from '../data/revocationRepository.ts';
import type { SessionRepository } from '../data/sessionRepository.ts';
import type { UserRepository } from '../data/userRepository.ts';
import type { PasswordHasher } from '../domain/passwordHasher.ts';
import type { RevocationFeed } from '../domain/revocationFeed.ts';
import type { Receipts } from '../tokens/receipts.ts';

/** The dependencies of this service's RPCs. */
export interface RpcDependencies {
  users: UserRepository;
  sessions: SessionRepository;
  revocations: RevocationRepository;
  revocationFeed: RevocationFeed;
  /** Runs the transactions of imports (openImportDatabase.ts). */
  importDatabase: Sequelize;
  imports: ImportRepository;
  passwordHasher: PasswordHasher;
  receipts: Receipts;
  outbox: Outbox;
}
