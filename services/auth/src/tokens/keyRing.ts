import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { TokenKeys } from '@gradeway/shared/auth/accessToken';
import type { Logger } from '@gradeway/shared/process/logger';
import type { SigningKeyRepository, StoredKey } from '../data/signingKeyRepository.ts';
import { openPrivateKey } from './encryptedPrivateKey.ts';
import { signerAt } from './keyRotationSchedule.ts';

interface Options {
  signingKeys: SigningKeyRepository;
  log: Logger;
  /** What the private keys are encrypted with. */
  secret: string;
  /** Run before each look at the database. */
  rotate(): Promise<void>;
}

interface Key {
  kid: string;
  publicJwk: JsonWebKey;
  publicKey: KeyObject;
  /** Undefined when the key signs no more, or was encrypted with a secret that is not ours. */
  privateKey: KeyObject | undefined;
  signsFrom: Date;
}

const reloadMs = 10_000;

/**
 * The keys that sign access tokens and verify them (D11). They live in the database (D42); each replica has them in
 * memory and looks every ten seconds for what has changed.
 */
export class KeyRing implements TokenKeys {
  readonly #options: Options;
  #timer: NodeJS.Timeout | undefined;
  #keys = new Map<string, Key>();

  private constructor(options: Options) {
    this.#options = options;
  }

  /** @throws Error when no key that signs can be decrypted */
  static async open(options: Options): Promise<KeyRing> {
    const ring = new KeyRing(options);
    await ring.#load();
    if (!ring.#signer())
      throw new Error('KEY_ENCRYPTION_SECRET is not the one that the signing keys were encrypted with');
    ring.#timer = setInterval(() => void ring.#reload(), reloadMs);
    return ring;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async find(kid: string): Promise<KeyObject | undefined> {
    return this.#keys.get(kid)?.publicKey;
  }

  /** The same for a receipt, which may be older than any token that counts. */
  async findForReceipt(kid: string): Promise<KeyObject | undefined> {
    const known = await this.find(kid);
    if (known) return known;
    const jwk = await this.#options.signingKeys.findPublic(kid);
    return jwk && createPublicKey({ key: jwk, format: 'jwk' });
  }

  /** The key to sign with at this moment. */
  signingKey(): { kid: string; privateKey: KeyObject } {
    const signer = this.#signer();
    if (!signer?.privateKey) throw new Error('no signing key');
    return { kid: signer.kid, privateKey: signer.privateKey };
  }

  /** The published keys (RFC 7517): those that sign, have signed or will. */
  jwks(): { keys: JsonWebKey[] } {
    const keys = [...this.#keys.values()];
    return { keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' })) };
  }

  #signer(): Key | undefined {
    const usable = [...this.#keys.values()].filter(({ privateKey }) => privateKey);
    return signerAt(usable, Date.now());
  }

  async #reload(): Promise<void> {
    try {
      await this.#load();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'could not look for new signing keys');
    }
  }

  async #load(): Promise<void> {
    await this.#options.rotate();
    const rows = await this.#options.signingKeys.all();
    const keys = await Promise.all(rows.map((row) => this.#keys.get(row.kid) ?? this.#read(row)));
    this.#keys = new Map(keys.map((key) => [key.kid, key]));
  }

  async #read({ kid, publicJwk, sealedPrivateKey, signsFrom }: StoredKey): Promise<Key> {
    const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
    const privateKey = sealedPrivateKey ? await this.#decrypt(sealedPrivateKey, kid) : undefined;
    return { kid, publicJwk, publicKey, privateKey, signsFrom };
  }

  // While a new secret is brought out, replicas with the old one go on signing with the key that they have.
  async #decrypt(sealed: Buffer, kid: string): Promise<KeyObject | undefined> {
    try {
      return await openPrivateKey(sealed, kid, this.#options.secret);
    } catch {
      this.#options.log.error({ kid }, 'a signing key was encrypted with another KEY_ENCRYPTION_SECRET');
      return undefined;
    }
  }
}
