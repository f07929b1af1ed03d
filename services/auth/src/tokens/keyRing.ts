import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { TokenKeys } from '@gradeway/shared/auth/accessToken';
import type { Logger } from '@gradeway/shared/process/logger';
import { runEvery } from '@gradeway/shared/process/runEvery';
import type { SigningKeyRepository, StoredKey } from '../data/signingKeyRepository.ts';
import { decryptPrivateKey } from './encryptedPrivateKey.ts';
import { signingKeyAt } from './keyRotationSchedule.ts';

interface Options {
  signingKeys: SigningKeyRepository;
  log: Logger;
  /** Decrypts the private keys. */
  secret: string;
  /** Called before the keys are read from the database, at most every ten seconds. */
  rotate(): Promise<void>;
}

interface Key {
  kid: string;
  publicJwk: JsonWebKey;
  publicKey: KeyObject;
  /** Undefined if the key no longer signs or was encrypted with another secret. */
  privateKey: KeyObject | undefined;
  signsFrom: Date;
}

// A revoked key must be rejected within two seconds.
const reloadIntervalMs = 500;
const rotationIntervalMs = 10_000;

/**
 * The keys that sign and verify access tokens (D11). They are stored in the database (D42); each replica caches them
 * and reloads them twice a second.
 */
export class KeyRing implements TokenKeys {
  readonly #options: Options;
  #stopReloading: (() => Promise<void>) | undefined;
  #keys = new Map<string, Key>();
  #rotatedAt = -Infinity;

  private constructor(options: Options) {
    this.#options = options;
  }

  /** @throws Error if no signing key can be decrypted */
  static async open(options: Options): Promise<KeyRing> {
    const ring = new KeyRing(options);
    await ring.#load();
    if (!ring.#currentKey())
      throw new Error('KEY_ENCRYPTION_SECRET is not the one that the signing keys were encrypted with');
    ring.#stopReloading = runEvery({
      everyMs: reloadIntervalMs,
      task: () => ring.#load(),
      log: options.log,
      failureMessage: 'could not reload the signing keys; will retry',
    });
    return ring;
  }

  async close(): Promise<void> {
    await this.#stopReloading?.();
  }

  /** Whether to reject tokens with this key id: the key was revoked or has expired, as of this replica's last load. */
  isRejected(kid: string): boolean {
    return !this.#keys.has(kid);
  }

  async find(kid: string): Promise<KeyObject | undefined> {
    return this.#keys.get(kid)?.publicKey;
  }

  /** Like `find`, but also finds spent keys: a receipt can be older than any valid token. */
  async findForReceipt(kid: string): Promise<KeyObject | undefined> {
    const cached = await this.find(kid);
    if (cached) return cached;
    const jwk = await this.#options.signingKeys.findPublicKey(kid);
    return jwk && createPublicKey({ key: jwk, format: 'jwk' });
  }

  /** Returns the key to sign with now. */
  signingKey(): { kid: string; privateKey: KeyObject } {
    const key = this.#currentKey();
    if (!key?.privateKey) throw new Error('no signing key');
    return { kid: key.kid, privateKey: key.privateKey };
  }

  /** Returns the published keys (RFC 7517): past, current and pending ones. */
  jwks(): { keys: JsonWebKey[] } {
    const keys = [...this.#keys.values()];
    return { keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' })) };
  }

  #currentKey(): Key | undefined {
    const usable = [...this.#keys.values()].filter(({ privateKey }) => privateKey);
    return signingKeyAt(usable, Date.now());
  }

  async #load(): Promise<void> {
    if (performance.now() - this.#rotatedAt >= rotationIntervalMs) {
      await this.#options.rotate();
      this.#rotatedAt = performance.now();
    }
    const rows = await this.#options.signingKeys.findUsable();
    const keys = await Promise.all(rows.map((row) => this.#keys.get(row.kid) ?? this.#toKey(row)));
    this.#keys = new Map(keys.map((key) => [key.kid, key]));
  }

  async #toKey({ kid, publicJwk, encryptedPrivateKey, signsFrom }: StoredKey): Promise<Key> {
    const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
    const privateKey = encryptedPrivateKey ? await this.#decrypt(encryptedPrivateKey, kid) : undefined;
    return { kid, publicJwk, publicKey, privateKey, signsFrom };
  }

  // While the secret is being replaced, replicas with the old one keep signing with the keys they can decrypt.
  async #decrypt(encrypted: Buffer, kid: string): Promise<KeyObject | undefined> {
    try {
      return await decryptPrivateKey(encrypted, kid, this.#options.secret);
    } catch {
      this.#options.log.error({ kid }, 'signing key is encrypted with another KEY_ENCRYPTION_SECRET');
      return undefined;
    }
  }
}
