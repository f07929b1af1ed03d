import { AuthService, type AuthServiceClient } from '@gradeway/proto/auth';
import type { EventListener } from '../events/broker.ts';
import { createGrpcClient, type GrpcClient } from '../grpc/client.ts';
import type { ProcessName } from '../grpc/serviceCredential.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import { createTokenVerifier, type VerifyToken } from './accessToken.ts';
import { fetchKeys } from './jwks.ts';
import { type FollowedRevocations, followRevocations } from './revocations.ts';

interface Config {
  authGrpc: string;
  jwksUrl: string;
  serviceSecret: string;
  tokenIssuer: string;
  tokenAudience: string;
  revocationsInterval: number;
}

export interface TokenVerification {
  verify: VerifyToken;
  auth: GrpcClient<AuthServiceClient>;
  revocations: FollowedRevocations;
}

/**
 * What a process needs to verify tokens by itself: auth's keys and its list of revocations, kept current by asking
 * every `REVOCATIONS_INTERVAL` and, where there are `events`, as soon as auth tells of an ended session.
 */
export function openTokenVerifier(
  { config, log, health, onStop }: ProcessContext<Config>,
  caller: ProcessName,
  events: Pick<EventListener, 'listen'> | undefined,
): TokenVerification {
  const auth = createGrpcClient(AuthService, {
    address: config.authGrpc,
    caller,
    callee: 'auth',
    secret: config.serviceSecret,
  });
  onStop('the connection to auth', () => auth.close());
  const keys = fetchKeys({ url: config.jwksUrl, log });
  onStop('the token keys', () => keys.close());
  const revocations = followRevocations(auth, log, config.revocationsInterval);
  onStop('the revocations', () => revocations.close());
  // Only a hint: nobody waits for the broker to give it.
  events
    ?.listen(['session.revoked.v1'], () => revocations.refresh())
    .catch((error) => log.warn({ err: error }, 'ended sessions are heard of by asking only'));
  health.addCheck('token keys', () => keys.loaded());
  health.addCheck('revocations', () => revocations.loaded());
  const { tokenIssuer: issuer, tokenAudience: audience } = config;
  return { verify: createTokenVerifier({ keys, revocations, issuer, audience }), auth, revocations };
}
