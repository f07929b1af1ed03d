import { createPrivateKey, type KeyObject } from 'node:crypto';
import { decryptSecret, encryptSecret } from '@gradeway/shared/crypto/encryptedSecret';

/** Encrypts a private key for the database and binds it to its `kid`. */
export function encryptPrivateKey(privateKey: KeyObject, kid: string, secret: string): Promise<Buffer> {
  return encryptSecret(privateKey.export({ format: 'der', type: 'pkcs8' }), kid, secret);
}

/** @throws Error if it was encrypted with another secret or for another `kid`, or was altered */
export async function decryptPrivateKey(encrypted: Buffer, kid: string, secret: string): Promise<KeyObject> {
  const key = await decryptSecret(encrypted, kid, secret);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}
