import { decryptSecret, encryptSecret } from '@gradeway/shared/crypto/encryptedSecret';

/** Encrypts the secrets of second factors for the database and binds each to its account. */
export class TotpSecretCipher {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  encrypt(totpSecret: string, userId: number): Promise<Buffer> {
    return encryptSecret(Buffer.from(totpSecret), ownerOf(userId), this.#secret);
  }

  /** @throws Error when it was encrypted with another secret or for another account, or was altered */
  async decrypt(encrypted: Buffer, userId: number): Promise<string> {
    return (await decryptSecret(encrypted, ownerOf(userId), this.#secret)).toString();
  }
}

const ownerOf = (userId: number): string => `totp ${userId}`;
