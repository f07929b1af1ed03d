import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { decryptPrivateKey, encryptPrivateKey } from '../src/tokens/encryptedPrivateKey.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const secret = 'the secret that encrypts it';

test('an encrypted key decrypts with its secret and kid, and never encrypts to the same bytes twice', async () => {
  const [encrypted, again] = [
    await encryptPrivateKey(privateKey, 'kid', secret),
    await encryptPrivateKey(privateKey, 'kid', secret),
  ];
  expect((await decryptPrivateKey(encrypted, 'kid', secret)).equals(privateKey)).toBe(true);
  expect(encrypted.equals(again)).toBe(false);
});

test('an encrypted key does not decrypt with another secret, with another kid or after tampering', async () => {
  const encrypted = await encryptPrivateKey(privateKey, 'kid', secret);
  await expect(decryptPrivateKey(encrypted, 'kid', `${secret}!`)).rejects.toThrow();
  await expect(decryptPrivateKey(encrypted, 'other', secret)).rejects.toThrow();
  for (const position of [0, 20, 30, encrypted.length - 1]) {
    const altered = Buffer.from(encrypted);
    altered[position] = (altered[position] ?? 0) ^ 1;
    await expect(decryptPrivateKey(altered, 'kid', secret)).rejects.toThrow();
  }
});
