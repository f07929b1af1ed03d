import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { startApiProxy } from './apiProxy.ts';
import { findPodPort, type PodPort } from './podPort.ts';

export interface PortForward {
  /** A port of this machine, on the loopback address. */
  port: number;
  stop(): void;
}

const [dataChannel, errorChannel] = [0, 1];
// The size of the messages that are still to be sent.
const maxBufferedBytes = 1024 * 1024;

/**
 * Makes a port of a Deployment, StatefulSet or Service reachable on a free port of 127.0.0.1, in one of its ready
 * pods.
 *
 * Each connection has a separate WebSocket. `kubectl port-forward` sends all of them over one connection to the
 * kubelet, which hung permanently after a few minutes of the black-box suite, and ends when a pod resets one of them.
 */
export async function forwardPort(
  namespace: string,
  target: string,
  port: number | string,
): Promise<PortForward> {
  const api = await startApiProxy();
  const sockets = new Set<Socket>();
  // Kept until a connection fails, because each kubectl call costs a third of a second of CPU.
  let found: Promise<PodPort> | undefined;
  const forget = () => {
    found = undefined;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    found ??= findPodPort(namespace, target, port);
    found
      .then(({ pod, number }) => {
        const url = `ws://${api.host}/api/v1/namespaces/${namespace}/pods/${pod}/portforward?ports=${number}`;
        connectSocket(socket, new WebSocket(url, 'v4.channel.k8s.io').once('error', forget));
      })
      .catch(() => {
        forget();
        socket.destroy();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      api.stop();
    },
  };
}

// Each message begins with the number of its channel; the first of each channel holds the port.
function connectSocket(socket: Socket, tunnel: WebSocket): void {
  const awaited = new Set([dataChannel, errorChannel]);
  tunnel.on('message', (message: Buffer) => {
    const channel = message[0] ?? errorChannel;
    if (awaited.delete(channel)) return;
    if (channel !== dataChannel) return void socket.destroy();
    if (socket.write(message.subarray(1))) return;
    tunnel.pause();
    socket.once('drain', () => tunnel.resume());
  });
  tunnel.once('open', () => {
    socket.on('data', (bytes) => {
      tunnel.send(Buffer.concat([Buffer.of(dataChannel), bytes]), () => {
        if (tunnel.bufferedAmount <= maxBufferedBytes) socket.resume();
      });
      if (tunnel.bufferedAmount > maxBufferedBytes) socket.pause();
    });
  });
  tunnel.on('error', () => socket.destroy());
  tunnel.once('close', () => socket.end());
  socket.once('close', () => tunnel.terminate());
}
