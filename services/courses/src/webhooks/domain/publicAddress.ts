import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.parseCIDR('2000::/3');
const privateRanges = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Whether webhooks may connect to an address. Public addresses are allowed. Private and loopback addresses are allowed
 * only with `allowPrivate`. All others are never allowed: link-local addresses (such as cloud metadata services),
 * multicast, reserved ranges, and IPv6 addresses that embed an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isAllowedAddress(text: string, allowPrivate: boolean): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  const range = address.range();
  if (privateRanges.has(range)) return allowPrivate;
  if (range !== 'unicast') return false;
  // Nothing outside 2000::/3 is assigned. This also rejects deprecated IPv4-compatible addresses such as ::127.0.0.1.
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast as [ipaddr.IPv6, number]);
}
