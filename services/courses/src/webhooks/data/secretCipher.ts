import { decryptSecret, encryptSecret } from '@gradeway/shared/crypto/encryptedSecret';

const maxCached = 1_000;

/** Encrypts the secrets of subscriptions for the database. Decryption is slow by design, so its results are cached. */
export class SecretCipher {
  readonly #key: string;
  readonly #decrypted = new Map<string, Promise<Buffer>>();

  constructor(key: string) {
    this.#key = key;
  }

  encrypt(secret: Buffer, subscriptionId: number): Promise<Buffer> {
    return encryptSecret(secret, ownerOf(subscriptionId), this.#key);
  }

  /** @throws Error when it was encrypted with another key or for another subscription */
  decrypt(encrypted: Buffer, subscriptionId: number): Promise<Buffer> {
    const cacheKey = `${subscriptionId} ${encrypted.toString('base64')}`;
    const cached = this.#decrypted.get(cacheKey);
    if (cached) return cached;
    if (this.#decrypted.size >= maxCached) this.#decrypted.clear();
    const decrypted = decryptSecret(encrypted, ownerOf(subscriptionId), this.#key);
    this.#decrypted.set(cacheKey, decrypted);
    return decrypted;
  }
}

const ownerOf = (subscriptionId: number): string => `webhook ${subscriptionId}`;
