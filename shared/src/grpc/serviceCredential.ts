import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';

// The five processes of the system. A credential names its caller and the one service that it is for.
export type ProcessName = 'gateway' | 'auth' | 'courses' | 'homework' | 'quiz';

const lifetimeSeconds = 120;
const type = 'service+jwt';

/** Makes the credential of gRPC calls from `caller` to `callee`: a short-lived signed statement of both. */
export function createServiceCredential(
  secret: string,
  caller: ProcessName,
  callee: ProcessName,
): () => string {
  let current = '';
  let renewAt = 0;
  return () => {
    if (Date.now() >= renewAt) {
      renewAt = Date.now() + (lifetimeSeconds * 1000) / 2;
      current = jwt.sign({}, secret, {
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
 * Verifies credentials for calls to `callee`: signed with our secret, for this service, not expired. Returns
 * the caller's name, or undefined for a stranger.
 */
export function createCredentialVerifier(
  secret: string,
  callee: ProcessName,
): (credential: string) => ProcessName | undefined {
  const known = new LRUCache<string, ProcessName>({ max: 100, ttl: (lifetimeSeconds * 1000) / 4 });

  return (credential) => {
    const caller = known.get(credential) ?? verify(credential);
    if (caller) known.set(credential, caller, { noUpdateTTL: true });
    return caller;
  };

  function verify(credential: string): ProcessName | undefined {
    try {
      const { header, payload } = jwt.verify(credential, secret, {
        algorithms: ['HS256'],
        audience: callee,
        maxAge: lifetimeSeconds,
        complete: true,
      });
      if (header.typ !== type || typeof payload === 'string' || !payload.exp) return undefined;
      return payload.iss as ProcessName;
    } catch {
      return undefined;
    }
  }
}
