import { AuthService, type AuthServiceClient } from '@gradeway/proto/auth';
import type { ServiceSecret } from '../config/serviceKeys.ts';
import type { EventListener } from '../events/broker.ts';
import { createGrpcClient, type GrpcClient } from '../grpc/client.ts';
import type { ProcessName } from '../grpc/serviceCredential.ts';
import { createGrpcStreamClient } from '../grpc/streamClient.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import { audience, createTokenVerifier, issuer, type VerifyToken } from './accessToken.ts';
import { createRemoteKeySet } from './jwks.ts';
import { followRevocations, type RevocationList } from './revocations.ts';

interface Config {
  authGrpc: string;
  jwksUrl: string;
  serviceSecret: ServiceSecret;
  revocationsInterval: number;
}

export interface TokenVerification {
  verify: VerifyToken;
  auth: GrpcClient<AuthServiceClient>;
  revocations: RevocationList;
}

/**
 * Opens everything a process needs to verify tokens without a call to auth per request: auth's public keys and its
 * revocation list. A stream or a call refreshes the list every `REVOCATIONS_INTERVAL`, and so does `session.revoked.v1`
 * if `events` is given. Keys and list are both readiness checks.
 */
export function openTokenVerifier(
  { config, log, health, onStop }: ProcessContext<Config>,
  caller: ProcessName,
  events: Pick<EventListener, 'listen'> | undefined,
): TokenVerification {
  const server = { address: config.authGrpc, caller, callee: 'auth', secret: config.serviceSecret } as const;
  const auth = createGrpcClient(AuthService, server);
  onStop('the connection to auth', () => auth.close());
  const stream = createGrpcStreamClient(AuthService, server);
  onStop('the stream connection to auth', () => stream.close());
  const keys = createRemoteKeySet({ url: config.jwksUrl, log });
  onStop('the token keys', () => keys.close());
  const revocations = followRevocations({
    auth,
    stream,
    log,
    intervalMs: config.revocationsInterval,
    onKeyRevoked: () => keys.refresh(),
  });
  onStop('the revocations', () => revocations.close());
  // Not awaited: polling works without the broker, so the start must not depend on it.
  events
    ?.listen(['session.revoked.v1'], () => revocations.refresh())
    .catch((error) => log.warn({ err: error }, 'revocation events unavailable; polling'));
  health.addCheck('token keys', () => keys.loaded());
  health.addCheck('revocations', () => revocations.loaded());
  return { verify: createTokenVerifier({ keys, revocations, issuer, audience }), auth, revocations };
}
