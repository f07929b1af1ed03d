import dns from 'node:dns';

/** The host of the ingress of overlays/production. */
export const ingressHost = 'api.gradeway.test';

// Importing this file lets the process reach the host at the loopback address, where a port is forwarded to nginx. An entry
// in /etc/hosts would need root. `node --import` does the same for a child process.
const lookup = dns.lookup as (name: string, ...rest: unknown[]) => void;
dns.lookup = ((name: string, ...rest: unknown[]) =>
  lookup(name === ingressHost ? '127.0.0.1' : name, ...rest)) as typeof dns.lookup;
