// A service that responds to every request immediately with 2 KB of JSON and the headers of a Gradeway service.
import { createServer } from 'node:http';

const body = JSON.stringify({ data: 'x'.repeat(2_000) });
const headers = {
  'X-Request-Id': '00000000-0000-0000-0000-000000000000',
  'Cache-Control': 'no-store',
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
};

createServer({ keepAliveTimeout: 75_000 }, (_req, res) => {
  res.writeHead(200, headers).end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
