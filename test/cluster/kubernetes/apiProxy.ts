import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

export interface ApiProxy {
  /** Its address, a port of the loopback address: for HTTP and for WebSockets. */
  host: string;
  stop(): void;
}

/** Makes the API server reachable on the loopback address, with the credentials of KUBECONFIG. */
export async function startApiProxy(): Promise<ApiProxy> {
  // kubectl ends when its standard input is closed, which the kernel does for a test process that was killed.
  const script = `
    exec 3<&0
    kubectl proxy --address=127.0.0.1 --port=0 & kubectl=$!
    { read -r line <&3; kill $kubectl; } &
    wait $kubectl`;
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.stdout.on('data', (chunk) => {
      const found = /127\.0\.0\.1:\d+/.exec(String(chunk));
      if (!found) return;
      // Unreferenced, because it would keep the process alive after the tests.
      for (const each of [child, child.stdin, child.stdout, child.stderr])
        (each as ChildProcess | Socket).unref();
      resolve({ host: found[0], stop: () => void child.stdin.end() });
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`kubectl proxy ended: ${errors}`)));
  });
}
