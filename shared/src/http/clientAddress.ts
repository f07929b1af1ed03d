import { isIP } from 'node:net';
import type { Request } from 'express';

/**
 * The address of a service's client; empty if unknown. Only the gateway can reach a service, and it sets this header
 * itself.
 */
export function clientAddress(req: Request): string {
  const sent = req.get('x-forwarded-for') ?? '';
  const address = isIP(sent) ? sent : (req.socket.remoteAddress ?? '');
  return plainAddress(address);
}

/** Writes an IPv4 address that arrived over IPv6 as IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '');

/**
 * The part of an address that identifies a customer. For IPv6 this is the /64 network, since one customer has 2^64
 * addresses. Empty if the input is not an address.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return '';
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = [...head.split(':').filter(Boolean)];
  const missing = 8 - groups.length - tail.split(':').filter(Boolean).length;
  const full = address.includes('::') ? [...groups, ...Array<string>(missing).fill('0')] : groups;
  return full.slice(0, 4).join(':');
}
