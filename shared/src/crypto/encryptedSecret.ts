import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

const saltLength = 16;
const ivLength = 12;
const tagLength = 16;

/**
 * Encrypts a secret for storage in the database: AES-256-GCM with a key derived from `secret` and a random salt.
 * `owner` (the `kid` of a key, `webhook 7`) is authenticated with it, so that a ciphertext copied to another row does
 * not decrypt. Takes about 50 ms.
 */
export async function encryptSecret(plain: Buffer, owner: string, secret: string): Promise<Buffer> {
  const salt = randomBytes(saltLength);
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(secret, salt), iv, {
    authTagLength: tagLength,
  });
  cipher.setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), ciphertext]);
}

/** @throws Error when the ciphertext was altered, or encrypted with another secret or for another owner */
export async function decryptSecret(encrypted: Buffer, owner: string, secret: string): Promise<Buffer> {
  const salt = encrypted.subarray(0, saltLength);
  const iv = encrypted.subarray(saltLength, saltLength + ivLength);
  const tag = encrypted.subarray(saltLength + ivLength, saltLength + ivLength + tagLength);
  const ciphertext = encrypted.subarray(saltLength + ivLength + tagLength);
  const decipher = createDecipheriv('aes-256-gcm', await deriveKey(secret, salt), iv, {
    authTagLength: tagLength,
  });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/**
 * Like `decryptSecret`, but tries several secrets in order. Two are in use while one replaces the other.
 * @throws Error when the ciphertext was altered, or encrypted with none of the secrets or for another owner
 */
export async function decryptWithAny(
  encrypted: Buffer,
  owner: string,
  secrets: readonly string[],
): Promise<Buffer> {
  let failure: unknown;
  for (const secret of secrets) {
    try {
      return await decryptSecret(encrypted, owner, secret);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

// Key derivation is slow on purpose, because `secret` may be a passphrase.
function deriveKey(secret: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
