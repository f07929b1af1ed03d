import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { keysWith, type ServiceSecret, signingKeyWith } from '../config/serviceKeys.ts';

/** The processes of the system. A credential names the caller as `iss` and the called service as `aud`. */
export type ProcessName = (typeof processNames)[number];

const processNames = ['gateway', 'auth', 'courses', 'homework', 'quiz'] as const;

const isProcessName = (value: unknown): value is ProcessName =>
  (processNames as readonly unknown[]).includes(value);

const lifetimeSeconds = 120;
const type = 'service+jwt';

/** Returns a function that supplies the credential for calls from `caller` to `callee`: a JWT valid for two minutes. */
export function createServiceCredential(
  secret: ServiceSecret,
  caller: ProcessName,
  callee: ProcessName,
): () => string {
  const key = signingKeyWith(callee, secret);
  let current = '';
  let renewAt = 0;
  return () => {
    if (Date.now() >= renewAt) {
      renewAt = Date.now() + (lifetimeSeconds * 1000) / 2;
      current = jwt.sign({}, key, {
        algorithm: 'HS256',
        header: { alg: 'HS256', typ: type },
        issuer: caller,
        audience: callee,
        expiresIn: lifetimeSeconds,
      });
    }
    return current;
  };
}

/**
 * Returns a function that verifies a credential: a signature by a key of the caller it names, audience `callee`, expiry
 * and type. It returns the caller, or undefined for an invalid credential.
 */
export function createCredentialVerifier(
  secret: ServiceSecret,
  callee: ProcessName,
): (credential: string) => ProcessName | undefined {
  const verified = new LRUCache<string, ProcessName>({ max: 100, ttl: (lifetimeSeconds * 1000) / 4 });

  return (credential) => {
    const caller = verified.get(credential) ?? verify(credential);
    if (caller) verified.set(credential, caller, { noUpdateTTL: true });
    return caller;
  };

  function verify(credential: string): ProcessName | undefined {
    const caller = jwt.decode(credential, { json: true })?.iss;
    if (!isProcessName(caller)) return undefined;
    return keysWith(caller, secret).some((key) => isSignedBy(caller, key, credential)) ? caller : undefined;
  }

  function isSignedBy(caller: ProcessName, key: string, credential: string): boolean {
    try {
      const { header, payload } = jwt.verify(credential, key, {
        algorithms: ['HS256'],
        issuer: caller,
        audience: callee,
        maxAge: lifetimeSeconds,
        complete: true,
      });
      return header.typ === type && typeof payload !== 'string' && payload.exp !== undefined;
    } catch {
      return false;
    }
  }
}
