import jwt from 'jsonwebtoken';
import type { KeyRing } from './keyRing.ts';

/** Signs claims with the current signing key (ES256). `keyId` is its `kid`. */
export function signJwt(keys: Pick<KeyRing, 'signingKey'>, typ: string, claims: object) {
  const { kid, privateKey } = keys.signingKey();
  const header = { alg: 'ES256', typ, kid };
  return { text: jwt.sign(claims, privateKey, { algorithm: 'ES256', header }), keyId: kid };
}
