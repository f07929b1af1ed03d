import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const createSecret = (): Buffer => randomBytes(32);

/** The text form of a secret: `whsec_` and base64 (Standard Webhooks 1.0). */
export const formatSecret = (secret: Buffer): string => prefix + secret.toString('base64');

/** Parses `whsec_…`. Undefined unless it is base64 of 24 to 64 bytes, as Standard Webhooks requires. */
export function parseSecret(text: string): Buffer | undefined {
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  if (!base64.test(encoded)) return undefined;
  const secret = Buffer.from(encoded, 'base64');
  return secret.length >= 24 && secret.length <= 64 ? secret : undefined;
}

interface Message {
  /** Must not contain a full stop, which separates the parts of the signed text. */
  id: string;
  body: string;
  sentAt: Date;
}

/** The headers that authenticate a message, with one signature per secret (Standard Webhooks 1.0). */
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
