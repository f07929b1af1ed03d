import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { messageClasses } from '../../src/http/messageClasses.ts';

test('express finds the prototypes of requests and responses right, and their methods work', async () => {
  const app = express();
  const prototypes: unknown[] = [];
  const server = createServer(messageClasses(app));
  server.on('request', (req, res) => {
    prototypes.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res));
    app(req, res);
  });
  app.get('/', (req, res) => {
    res.json({ app: req.app === app && res.app === app, host: req.hostname, query: req.query.a });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?a=1`);
  expect(await answer.json()).toEqual({ app: true, host: '127.0.0.1', query: '1' });
  expect(prototypes[0] === app.request && prototypes[1] === app.response).toBe(true);
});
