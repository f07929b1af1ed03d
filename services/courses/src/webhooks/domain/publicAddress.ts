import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.parseCIDR('2000::/3');
const privateRanges = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Whether webhooks may go to an address: to public ones only, and with `allowPrivate` to those of a private network
 * and of this machine too. Never to what is neither: link-local addresses (where clouds keep their metadata),
 * multicast, reserved ranges, and IPv6 addresses that carry an IPv4 address in them (mapped, NAT64, 6to4, Teredo).
 */
export function isAllowedAddress(text: string, allowPrivate: boolean): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  const range = address.range();
  if (privateRanges.has(range)) return allowPrivate;
  if (range !== 'unicast') return false;
  // Outside of it nothing was ever assigned; ::127.0.0.1 (IPv4-compatible, given up long ago) is there.
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast as [ipaddr.IPv6, number]);
}
