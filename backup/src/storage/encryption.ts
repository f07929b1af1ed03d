import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';

type Content = AsyncIterable<Uint8Array>;

/** Encrypts in chunks of 64 KiB, so that content of any size needs little memory. */
export type Encrypt = (content: Content) => Content;
/** @param name of the content, for the message when it is damaged */
export type Decrypt = (content: Content, name: string) => Content;

/** @param recipients public age recipients (`age1…`), separated by spaces: each of their identities can decrypt */
export function encryptFor(recipients: string): Encrypt {
  const encrypter = new Encrypter();
  try {
    for (const recipient of recipients.split(/\s+/)) encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new Error('BACKUP_AGE_RECIPIENT is not an age recipient (age1…)', { cause });
  }
  return async function* encrypt(content) {
    yield* await encrypter.encrypt(asWebStream(content));
  };
}

/** @param identity the secret age identity (`AGE-SECRET-KEY-…`); undefined if the command has none */
export function decryptWith(identity: string | undefined): Decrypt {
  const decrypter = new Decrypter();
  try {
    if (identity) decrypter.addIdentity(identity);
  } catch {
    // The cause may contain the identity.
    throw new Error('BACKUP_AGE_IDENTITY is not an age identity (AGE-SECRET-KEY-…)');
  }
  return async function* decrypt(content, name) {
    if (!identity) throw new Error('BACKUP_AGE_IDENTITY is required to read an encrypted backup');
    let readError: unknown;
    async function* read() {
      try {
        yield* content;
      } catch (error) {
        readError = error;
        throw error;
      }
    }
    try {
      yield* await decrypter.decrypt(asWebStream(read()));
    } catch (error) {
      if (readError) throw readError;
      throw (error as Error).message.startsWith('no identity matched')
        ? new Error('BACKUP_AGE_IDENTITY cannot decrypt this backup: it was encrypted for another recipient')
        : new Error(`${name} is damaged: it cannot be decrypted`, { cause: error });
    }
  };
}

const asWebStream = (content: Content) =>
  ReadableStream.from(content) as globalThis.ReadableStream<Uint8Array>;
