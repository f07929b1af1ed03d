import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

const saltLength = 16;
const ivLength = 12;
const tagLength = 16;

/**
 * Encrypts a secret for the database (AES-256-GCM, a key derived from `secret` for this one alone). It belongs to
 * its owner, `kid` of a key or `webhook 7`: put into another's row it does not open. Takes some 50 ms.
 */
export async function encryptSecret(plain: Buffer, owner: string, secret: string): Promise<Buffer> {
  const salt = randomBytes(saltLength);
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(secret, salt), iv, {
    authTagLength: tagLength,
  });
  cipher.setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), encrypted]);
}

/** @throws Error when it was sealed with another secret or for another owner, or was altered */
export async function decryptSecret(sealed: Buffer, owner: string, secret: string): Promise<Buffer> {
  const salt = sealed.subarray(0, saltLength);
  const iv = sealed.subarray(saltLength, saltLength + ivLength);
  const tag = sealed.subarray(saltLength + ivLength, saltLength + ivLength + tagLength);
  const encrypted = sealed.subarray(saltLength + ivLength + tagLength);
  const decipher = createDecipheriv('aes-256-gcm', await deriveKey(secret, salt), iv, {
    authTagLength: tagLength,
  });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}

// Slow on purpose: the secret may be one that a person thought of.
function deriveKey(secret: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
