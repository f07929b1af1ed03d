// A peer: only express and http-proxy-middleware, without even a token check.
import { Agent } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

const { PORT, SERVICE_URL } = process.env;
const agent = new Agent({ keepAlive: true });

express()
  .use(createProxyMiddleware({ target: SERVICE_URL, agent, changeOrigin: true }))
  .listen(Number(PORT), '127.0.0.1');
