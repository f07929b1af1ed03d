import { createPrivateKey, type KeyObject } from 'node:crypto';
import { decryptSecret, encryptSecret } from '@gradeway/shared/crypto/encryptedSecret';

/** Encrypts a private key for the database. It belongs to its `kid`: under another it does not open. */
export function sealPrivateKey(privateKey: KeyObject, kid: string, secret: string): Promise<Buffer> {
  return encryptSecret(privateKey.export({ format: 'der', type: 'pkcs8' }), kid, secret);
}

/** @throws Error when it was sealed with another secret or for another `kid`, or was altered */
export async function openPrivateKey(sealed: Buffer, kid: string, secret: string): Promise<KeyObject> {
  const key = await decryptSecret(sealed, kid, secret);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}
