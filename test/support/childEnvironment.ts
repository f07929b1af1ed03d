const inherited = ['PATH', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/**
 * What a program needs to run as a child process of the tests, and to reach a system with a host name and a certificate of its own
 * (test/cluster/production.test.ts). Nothing else of the tests' environment reaches it.
 */
export const childEnvironment: Record<string, string> = Object.fromEntries(
  inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
