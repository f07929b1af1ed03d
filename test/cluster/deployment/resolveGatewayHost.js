// Importing this file lets the process reach api.gradeway.test, the host of the Gateway of overlays/production, at the loopback
// address, where a port is forwarded to Traefik. An entry in /etc/hosts would need root. `node --import` does the same for a
// child process. It is JavaScript because Node.js 20, which runs the client, executes no TypeScript.
import dns from 'node:dns';

const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name === 'api.gradeway.test' ? '127.0.0.1' : name, ...rest);
