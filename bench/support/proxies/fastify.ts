// A peer: @fastify/http-proxy, which checks each token with jsonwebtoken.
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import httpProxy from '@fastify/http-proxy';
import fastify from 'fastify';
import jwt from 'jsonwebtoken';

const { PORT, SERVICE_URL = '', JWKS_URL = '' } = process.env;
const { keys } = (await (await fetch(JWKS_URL)).json()) as { keys: JsonWebKey[] };
const key = createPublicKey({ key: keys[0] ?? {}, format: 'jwk' });

const app = fastify();
await app.register(httpProxy, {
  upstream: SERVICE_URL,
  async preHandler({ headers }) {
    const token = headers.authorization?.slice('Bearer '.length) ?? '';
    jwt.verify(token, key, { algorithms: ['ES256'], issuer: 'gradeway', audience: 'gradeway-api' });
  },
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
