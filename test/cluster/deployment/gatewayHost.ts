import dns from 'node:dns';

/** The host of the Gateway of overlays/production. */
export const gatewayHost = 'api.gradeway.test';

// Importing this file lets the process reach the host at the loopback address, where a port is forwarded to Traefik. An entry
// in /etc/hosts would need root. `node --import` does the same for a child process.
const lookup = dns.lookup as (name: string, ...rest: unknown[]) => void;
dns.lookup = ((name: string, ...rest: unknown[]) =>
  lookup(name === gatewayHost ? '127.0.0.1' : name, ...rest)) as typeof dns.lookup;
