import { audience, issuer } from '@gradeway/shared/auth/accessToken';
import { createPublicUrl } from '@gradeway/shared/http/publicUrl';
import { createClock } from '@gradeway/shared/http/timestamps';
import { runProcess } from '@gradeway/shared/process/runProcess';
import { openServiceCore } from '@gradeway/shared/service/openServiceCore';
import { ApiTokenRepository } from './apiTokens/data/apiTokenRepository.ts';
import { ServiceAccountRepository } from './apiTokens/data/serviceAccountRepository.ts';
import { createBackgroundTasks } from './backgroundTasks.ts';
import { connectCourses } from './clients/coursesClient.ts';
import { deliverByMail, deliverToLog } from './clients/loginCodeDelivery.ts';
import { measureLoginCodeDelivery } from './clients/loginCodeDeliveryMetrics.ts';
import { requireCodeDelivery, settings } from './config.ts';
import { AttemptLimiter } from './data/attemptLimiter.ts';
import { AuditRepository } from './data/auditRepository.ts';
import { scheduleAuditRetention } from './data/auditRetention.ts';
import { DeviceRepository } from './data/deviceRepository.ts';
import { ImportRepository } from './data/importRepository.ts';
import { KnownSourceRepository } from './data/knownSourceRepository.ts';
import { LoginCodeRepository } from './data/loginCodeRepository.ts';
import { LoginRepository } from './data/loginRepository.ts';
import { defineModels } from './data/models.ts';
import { schedulePurge } from './data/purgeExpired.ts';
import { RevocationRepository } from './data/revocationRepository.ts';
import { SessionRepository } from './data/sessionRepository.ts';
import { SigningKeyRepository } from './data/signingKeyRepository.ts';
import { TotpFactorRepository } from './data/totpFactorRepository.ts';
import { UserRepository } from './data/userRepository.ts';
import { createFirstAdministrator } from './domain/createFirstAdministrator.ts';
import { maxCodeRequests, maxWrongCodes, wrongCodeWindowSeconds } from './domain/loginCode.ts';
import { PasswordHasher } from './domain/passwordHasher.ts';
import { openRevocationFeed } from './domain/revocationFeed.ts';
import { maxSecondFactorFailures } from './domain/secondFactor.ts';
import { onAuditRecorded } from './events/onAuditRecorded.ts';
import { serveGrpc } from './grpc/server.ts';
import { createApp } from './http/app.ts';
import { lowerThreadPoolPriority } from './lowerThreadPoolPriority.ts';
import { openImportDatabase } from './openImportDatabase.ts';
import { openPersonalData } from './personalData/openPersonalData.ts';
import { openSingleSignOn } from './singleSignOn/openSingleSignOn.ts';
import { AccessTokenIssuer } from './tokens/accessTokenIssuer.ts';
import { KeyRing } from './tokens/keyRing.ts';
import { Receipts } from './tokens/receipts.ts';
import { rotateIfDue } from './tokens/rotateSigningKeys.ts';
import { createStoredTokenVerifier } from './tokens/storedTokenVerifier.ts';
import { TotpSecretCipher } from './tokens/totpSecretCipher.ts';

await runProcess('auth', settings, async (context) => {
  const { config, log, health, onStop } = context;
  requireCodeDelivery(config);
  const { host, serviceSecret, refreshWindow: refreshWindowMs, accessTokenTtl: ttlMs } = config;

  const core = await openServiceCore(context, 'auth', new URL('../migrations/', import.meta.url));
  const { sequelize, outbox } = core;
  const models = defineModels(sequelize);
  const users = new UserRepository(sequelize, models);
  const sessions = new SessionRepository(sequelize, models);
  const apiTokens = new ApiTokenRepository(sequelize);
  const serviceAccounts = new ServiceAccountRepository(sequelize);
  const revocations = new RevocationRepository(sequelize);
  await revocations.renumberRestored();
  const audit = new AuditRepository(sequelize);
  await core.consume({ 'audit.recorded.v1': onAuditRecorded(audit) });
  onStop('the purge of expired rows', schedulePurge({ sequelize, log, refreshWindowMs }));
  const { retentionAuditLog } = config;
  onStop('the retention of the audit log', scheduleAuditRetention({ sequelize, retentionAuditLog, log }));

  const signingKeys = new SigningKeyRepository(sequelize);
  const keyStorage = { sequelize, signingKeys, log, secret: config.keyEncryptionSecret };
  const rotation = { ...keyStorage, tokenLifeMs: ttlMs + refreshWindowMs };
  const keys = await KeyRing.open({ ...keyStorage, rotate: () => rotateIfDue(rotation) });
  onStop('the signing keys', () => keys.close());
  const tokenRules = { keys, issuer, audience };
  const receipts = new Receipts({ keys, issuer });

  const passwordHasher = await PasswordHasher.create(config.passwordHashings);
  lowerThreadPoolPriority();
  const administrator = { email: config.adminEmail, password: config.adminPassword };
  await createFirstAdministrator({ sequelize, users, passwordHasher, outbox, audit, log }, administrator);

  const courses = connectCourses({ address: config.coursesGrpc, secret: serviceSecret });
  onStop('the connection to courses', () => courses.close());
  const loginCodeDelivery = measureLoginCodeDelivery(
    config.smtpUrl ? deliverByMail({ url: config.smtpUrl, from: config.mailFrom }) : deliverToLog(log),
  );
  onStop('the delivery of login codes', () => loginCodeDelivery.close());
  const backgroundTasks = createBackgroundTasks(log);
  onStop('the background tasks', () => backgroundTasks.drain());

  const createLimiter = (purpose: string, limit: number, windowSeconds?: number) =>
    new AttemptLimiter(sequelize, { purpose, limit, windowSeconds });
  const loginLimiter = createLimiter('login', config.loginLimitPerAccount);
  const dependencies = {
    log,
    health,
    sequelize,
    users,
    sessions,
    apiTokens,
    serviceAccounts,
    revocations,
    devices: new DeviceRepository(sequelize, models),
    loginCodes: new LoginCodeRepository(sequelize),
    knownSources: new KnownSourceRepository(sequelize),
    passwordHasher,
    ...openSingleSignOn(sequelize, config),
    loginLimiter,
    logins: new LoginRepository(sequelize, loginLimiter),
    passwordLimiter: createLimiter('password', config.loginLimitPerAccount),
    codeRequestLimiter: createLimiter('code', maxCodeRequests),
    wrongCodeLimiter: createLimiter('wrong code', maxWrongCodes, wrongCodeWindowSeconds),
    secondFactorLimiter: createLimiter('second factor', maxSecondFactorFailures),
    factorChangeLimiter: createLimiter('second factor change', maxSecondFactorFailures),
    totpFactors: new TotpFactorRepository(sequelize),
    totpSecretCipher: new TotpSecretCipher(config.keyEncryptionSecret, config.keyEncryptionSecretSecondary),
    requiresReauthentication: config.requiresReauthentication,
    devicePolicy: {
      limits: {
        total: config.deviceLimitTotal,
        web: config.deviceLimitWeb,
        app: config.deviceLimitApp,
        desktop: config.deviceLimitDesktop,
      },
      singleAccount: config.deviceSingleAccount,
    },
    keys,
    tokenRules,
    refreshWindowMs,
    accessTokens: new AccessTokenIssuer({ ...tokenRules, ttlMs }),
    verifyToken: createStoredTokenVerifier({ ...tokenRules, sessions, apiTokens }),
    receipts,
    courses,
    loginCodeDelivery,
    backgroundTasks,
    outbox,
    audit,
    clock: createClock(config.timeZone),
    publicUrl: createPublicUrl(config.publicUrl),
  };
  const app = createApp(dependencies, await openPersonalData(context, dependencies));

  const importDatabase = openImportDatabase(context);
  const imports = new ImportRepository(importDatabase);
  const revocationFeed = await openRevocationFeed({
    revocations,
    log,
    intervalMs: config.revocationsInterval,
  });
  const grpc = await serveGrpc(
    { host, port: config.grpcPort, secret: serviceSecret, log, health },
    { ...dependencies, revocationFeed, importDatabase, imports },
  );
  onStop('the gRPC server', () => grpc.close());
  // Stops before the gRPC server, which waits for calls in progress.
  onStop('the revocation feed', () => revocationFeed.close());
  await core.serveHttp(app);
});
