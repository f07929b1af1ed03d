import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes the configuration of an nginx that forwards everything to one service; returns its path. */
export function writeNginxConfiguration(port: number, servicePort: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'gradeway-nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${directory}/${kind};`)
    .join('\n  ');
  const path = join(directory, 'nginx.conf');
  writeFileSync(
    path,
    `daemon off;
worker_processes 1;
pid ${directory}/pid;
error_log ${directory}/error.log error;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary}
  upstream service {
    server 127.0.0.1:${servicePort};
    keepalive 128;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000000;
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`,
  );
  return path;
}
