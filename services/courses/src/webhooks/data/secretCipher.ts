import { decryptWithAny, encryptSecret } from '@gradeway/shared/crypto/encryptedSecret';

const maxCached = 1_000;

/**
 * Encrypts the secrets of subscriptions for the database. Decryption is deliberately slow, so its results are cached.
 */
export class SecretCipher {
  readonly #key: string;
  readonly #keys: readonly string[];
  readonly #decrypted = new Map<string, Promise<Buffer>>();

  /** @param secondaryKey also used for decryption while the key is being replaced */
  constructor(key: string, secondaryKey?: string) {
    this.#key = key;
    this.#keys = secondaryKey === undefined ? [key] : [key, secondaryKey];
  }

  encrypt(secret: Buffer, subscriptionId: number): Promise<Buffer> {
    return encryptSecret(secret, ownerOf(subscriptionId), this.#key);
  }

  /** Re-encrypts with the current key a secret that may be encrypted with the secondary key. */
  async renew(encrypted: Buffer, subscriptionId: number): Promise<Buffer> {
    return this.encrypt(await this.decrypt(encrypted, subscriptionId), subscriptionId);
  }

  /** @throws Error when it was encrypted with another key or for another subscription */
  decrypt(encrypted: Buffer, subscriptionId: number): Promise<Buffer> {
    const cacheKey = `${subscriptionId} ${encrypted.toString('base64')}`;
    const cached = this.#decrypted.get(cacheKey);
    if (cached) return cached;
    if (this.#decrypted.size >= maxCached) this.#decrypted.clear();
    const decrypted = decryptWithAny(encrypted, ownerOf(subscriptionId), this.#keys);
    this.#decrypted.set(cacheKey, decrypted);
    return decrypted;
  }
}

const ownerOf = (subscriptionId: number): string => `webhook ${subscriptionId}`;
