import { decryptSecret, encryptSecret } from '@gradeway/shared/crypto/encryptedSecret';

const mostKept = 1_000;

/**
 * The secrets of subscriptions, sealed in the database and open only here. Opening takes a while on purpose, so what
 * was opened is kept, under what it was sealed as.
 */
export class SecretRing {
  readonly #key: string;
  readonly #opened = new Map<string, Promise<Buffer>>();

  constructor(key: string) {
    this.#key = key;
  }

  seal(secret: Buffer, subscriptionId: number): Promise<Buffer> {
    return encryptSecret(secret, ownerOf(subscriptionId), this.#key);
  }

  /** @throws Error when it was sealed with another key, or for another subscription */
  open(sealed: Buffer, subscriptionId: number): Promise<Buffer> {
    const name = `${subscriptionId} ${sealed.toString('base64')}`;
    const known = this.#opened.get(name);
    if (known) return known;
    if (this.#opened.size >= mostKept) this.#opened.clear();
    const opened = decryptSecret(sealed, ownerOf(subscriptionId), this.#key);
    this.#opened.set(name, opened);
    return opened;
  }
}

const ownerOf = (subscriptionId: number): string => `webhook ${subscriptionId}`;
