import type { TokenRules, VerifyToken } from '@gradeway/shared/auth/accessToken';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { PublicUrl } from '@gradeway/shared/http/publicUrl';
import type { Clock } from '@gradeway/shared/http/timestamps';
import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import type { Sequelize } from 'sequelize';
import type { BackgroundTasks } from './backgroundTasks.ts';
import type { CoursesClient } from './clients/coursesClient.ts';
import type { LoginCodeDelivery } from './clients/loginCodeDelivery.ts';
import type { AttemptLimiter } from './data/attemptLimiter.ts';
import type { AuditRepository } from './data/auditRepository.ts';
import type { DeviceRepository } from './data/deviceRepository.ts';
import type { ImportRepository } from './data/importRepository.ts';
import type { KnownSourceRepository } from './data/knownSourceRepository.ts';
import type { LoginCodeRepository } from './data/loginCodeRepository.ts';
import type { LoginRepository } from './data/loginRepository.ts';
import type { RevocationRepository } from './data/revocationRepository.ts';
import type { SessionRepository } from './data/sessionRepository.ts';
import type { TotpFactorRepository } from './data/totpFactorRepository.ts';
import type { UserRepository } from './data/userRepository.ts';
import type { DevicePolicy } from './domain/deviceLimits.ts';
import type { PasswordHasher } from './domain/passwordHasher.ts';
import type { AccessTokenIssuer } from './tokens/accessTokenIssuer.ts';
import type { KeyRing } from './tokens/keyRing.ts';
import type { Receipts } from './tokens/receipts.ts';
import type { TotpSecretCipher } from './tokens/totpSecretCipher.ts';

/** The dependencies of routes, RPCs and use cases; each picks what it needs. */
export interface ServiceDependencies {
  audit: AuditRepository;
  log: Logger;
  health: Health;
  verifyToken: VerifyToken;
  tokenRules: Omit<TokenRules, 'revocations'>;
  refreshWindowMs: number;
  sequelize: Sequelize;
  /** Runs the transactions of imports (openImportDatabase.ts). */
  importDatabase: Sequelize;
  imports: ImportRepository;
  users: UserRepository;
  devices: DeviceRepository;
  sessions: SessionRepository;
  revocations: RevocationRepository;
  logins: LoginRepository;
  loginCodes: LoginCodeRepository;
  knownSources: KnownSourceRepository;
  loginLimiter: AttemptLimiter;
  wrongCodeLimiter: AttemptLimiter;
  passwordLimiter: AttemptLimiter;
  codeRequestLimiter: AttemptLimiter;
  secondFactorLimiter: AttemptLimiter;
  factorChangeLimiter: AttemptLimiter;
  totpFactors: TotpFactorRepository;
  totpSecretCipher: TotpSecretCipher;
  /** Whether sensitive changes require a re-authenticated session (`REAUTHENTICATION`). */
  requiresReauthentication: boolean;
  passwordHasher: PasswordHasher;
  keys: KeyRing;
  receipts: Receipts;
  accessTokens: AccessTokenIssuer;
  devicePolicy: DevicePolicy;
  courses: CoursesClient;
  loginCodeDelivery: LoginCodeDelivery;
  backgroundTasks: BackgroundTasks;
  outbox: Outbox;
  clock: Clock;
  publicUrl: PublicUrl;
}
