import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  type KeyObject,
  randomBytes,
  scrypt,
} from 'node:crypto';

const saltLength = 16;
const ivLength = 12;
const tagLength = 16;

/**
 * Encrypts a private key for the database (AES-256-GCM, a key derived from the secret for this one alone). It
 * belongs to its `kid`: under another it does not open.
 */
export async function sealPrivateKey(privateKey: KeyObject, kid: string, secret: string): Promise<Buffer> {
  const salt = randomBytes(saltLength);
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(secret, salt), iv, {
    authTagLength: tagLength,
  });
  cipher.setAAD(Buffer.from(kid));
  const plain = privateKey.export({ format: 'der', type: 'pkcs8' });
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), encrypted]);
}

/** @throws Error when it was sealed with another secret or for another `kid`, or was altered */
export async function openPrivateKey(sealed: Buffer, kid: string, secret: string): Promise<KeyObject> {
  const salt = sealed.subarray(0, saltLength);
  const iv = sealed.subarray(saltLength, saltLength + ivLength);
  const tag = sealed.subarray(saltLength + ivLength, saltLength + ivLength + tagLength);
  const encrypted = sealed.subarray(saltLength + ivLength + tagLength);
  const decipher = createDecipheriv('aes-256-gcm', await deriveKey(secret, salt), iv, {
    authTagLength: tagLength,
  });
  decipher.setAAD(Buffer.from(kid));
  decipher.setAuthTag(tag);
  const key = Buffer.concat([decipher.update(encrypted), decipher.final()]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

// Slow on purpose: the secret may be one that a person thought of.
function deriveKey(secret: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
