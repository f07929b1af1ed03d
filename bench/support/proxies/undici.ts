// A limit: only node:http and undici.
import { createServer } from 'node:http';
import { Pool } from 'undici';

const { PORT, SERVICE_URL = '' } = process.env;
const pool = new Pool(SERVICE_URL);

createServer((req, res) => {
  const { url: path = '/', method = 'GET', headers } = req;
  const { connection: _, ...forwarded } = headers;
  const options = { path, method: method as 'GET', headers: forwarded, opaque: res };
  pool
    .stream(options, ({ statusCode, headers: { connection, 'keep-alive': keepAlive, ...answered } }) =>
      res.writeHead(statusCode, answered),
    )
    .catch(() => res.destroy());
}).listen(Number(PORT), '127.0.0.1');
