import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';

/** The processes of the system. A credential names its caller as `iss` and the called service as `aud`. */
export type ProcessName = 'gateway' | 'auth' | 'courses' | 'homework' | 'quiz';

const lifetimeSeconds = 120;
const type = 'service+jwt';

/** Returns a function that supplies the credential of calls from `caller` to `callee`: a JWT valid for two minutes. */
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
 * Returns a function that verifies a credential: signature, audience `callee`, expiry and type. It returns the caller,
 * or undefined for an invalid credential.
 */
export function createCredentialVerifier(
  secret: string,
  callee: ProcessName,
): (credential: string) => ProcessName | undefined {
  const verified = new LRUCache<string, ProcessName>({ max: 100, ttl: (lifetimeSeconds * 1000) / 4 });

  return (credential) => {
    const caller = verified.get(credential) ?? verify(credential);
    if (caller) verified.set(credential, caller, { noUpdateTTL: true });
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
