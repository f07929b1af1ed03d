import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A new secret of 32 random bytes. */
export const createSecret = (): Buffer => randomBytes(32);

/** A secret as its receiver writes it down: `whsec_` and base64 (Standard Webhooks 1.0). */
export const writeSecret = (secret: Buffer): string => prefix + secret.toString('base64');

/** Reads `whsec_…`; undefined unless it is base64 of 24 to 64 bytes, as Standard Webhooks has it. */
export function readSecret(text: string): Buffer | undefined {
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  if (!base64.test(encoded)) return undefined;
  const secret = Buffer.from(encoded, 'base64');
  return secret.length >= 24 && secret.length <= 64 ? secret : undefined;
}

interface Message {
  /** Without a full stop: the parts of what is signed stay apart. */
  id: string;
  body: string;
  sentAt: Date;
}

/** The headers that prove a message, with a signature by each of the secrets (Standard Webhooks 1.0). */
export function signedHeaders({ id, body, sentAt }: Message, secrets: Buffer[]): Record<string, string> {
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
