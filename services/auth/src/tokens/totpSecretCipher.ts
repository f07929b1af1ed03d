import { decryptSecret, encryptSecret } from '@gradeway/shared/crypto/encryptedSecret';

/** Encrypts the secrets of second factors for the database and binds each to its account. */
export class TotpSecretCipher {
  readonly #secret: string;
  readonly #secondarySecret: string | undefined;

  /** @param secondarySecret also used for decryption while the secret is being replaced */
  constructor(secret: string, secondarySecret?: string) {
    this.#secret = secret;
    this.#secondarySecret = secondarySecret;
  }

  encrypt(totpSecret: string, userId: number): Promise<Buffer> {
    return encryptSecret(Buffer.from(totpSecret), ownerOf(userId), this.#secret);
  }

  /** @throws Error if it was encrypted with another secret or for another account, or was altered */
  async decrypt(encrypted: Buffer, userId: number): Promise<string> {
    const decryptWith = async (secret: string) =>
      (await decryptSecret(encrypted, ownerOf(userId), secret)).toString();
    const secondary = this.#secondarySecret;
    if (secondary === undefined) return decryptWith(this.#secret);
    return decryptWith(this.#secret).catch(() => decryptWith(secondary));
  }
}

const ownerOf = (userId: number): string => `totp ${userId}`;
