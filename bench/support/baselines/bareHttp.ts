// The minimum for a page of a service in Node.js: node:http, prepared statements of pg, JSON. No token, no parameters, no
// log, no metrics. No service here can be faster. Listens on PORT; STATEMENTS holds the SQL of a page.
import { createServer } from 'node:http';
import { Pool } from 'pg';

const statements: string[] = JSON.parse(process.env.STATEMENTS ?? '[]');
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

async function readPage(): Promise<unknown[]> {
  const client = await pool.connect();
  const pages: unknown[] = [];
  try {
    for (const [index, text] of statements.entries())
      pages.push((await client.query({ name: `statement${index}`, text })).rows);
  } finally {
    client.release();
  }
  return pages;
}

createServer(async (_req, res) => {
  const body = JSON.stringify(await readPage());
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  res.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
