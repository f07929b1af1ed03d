import { spawn } from 'node:child_process';

export interface PortForward {
  /** A port of this machine, on the loopback address. */
  port: number;
  stop(): void;
}

const forward = ['port-forward', '--address', '127.0.0.1'];

// kubectl ends when its standard input is closed, which the kernel does for a test process that was killed.
const script = `
  exec 3<&0
  "$0" "$@" & kubectl=$!
  { read -r line <&3; kill $kubectl; } &
  wait $kubectl`;

/**
 * Makes a port of a pod or Service reachable at a free port of 127.0.0.1. Of a Service, kubectl selects one pod; the
 * forwarding ends with that pod.
 */
export function forwardPort(namespace: string, target: string, port: number | string): Promise<PortForward> {
  const child = spawn('sh', ['-c', script, 'kubectl', '-n', namespace, ...forward, target, `:${port}`], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.stdout.on('data', (chunk) => {
      const found = /127\.0\.0\.1:(\d+) ->/.exec(String(chunk));
      if (found) resolve({ port: Number(found[1]), stop: () => void child.stdin.end() });
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`kubectl port-forward ${target} ended: ${errors}`)));
  });
}
