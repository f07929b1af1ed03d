import { createHmac, timingSafeEqual } from 'node:crypto';
import { isKind, type MessageKind } from './kinds.ts';

interface Unsubscription {
  userId: number;
  kind: MessageKind;
}

const shape = /^([1-9]\d{0,9})\.([a-z.]{1,40})\.([\w-]{43})$/;

const signatureOf = (kind: MessageKind, key: string): Buffer =>
  createHmac('sha256', key).update(`unsubscribe ${kind}`).digest();

/** The token of a link that ends one kind of message for one person. It permits nothing else, and does not expire. */
export const unsubscribeToken = ({ userId, kind }: Unsubscription, key: string): string =>
  `${userId}.${kind}.${signatureOf(kind, key).toString('base64url')}`;

/** Reads a token without verifying it. Returns undefined for any other text. */
export function readUnsubscribeToken(text: string): (Unsubscription & { signature: string }) | undefined {
  const [, id = '', kind = '', signature = ''] = shape.exec(text) ?? [];
  if (!isKind(kind) && kind !== 'digest') return undefined;
  return { userId: Number(id), kind, signature };
}

/** Whether the signature was made with the key, in constant time. */
export const isSignedWith = (key: string, kind: MessageKind, signature: string): boolean =>
  timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(kind, key));
