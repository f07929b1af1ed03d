import jwt from 'jsonwebtoken';
import type { KeyRing } from './keyRing.ts';

/** Signs claims with the current signing key (ES256). */
export function signJwt(keys: Pick<KeyRing, 'signingKey'>, typ: string, claims: object): string {
  const { kid, privateKey } = keys.signingKey();
  const header = { alg: 'ES256', typ, kid };
  return jwt.sign(claims, privateKey, { algorithm: 'ES256', header });
}
