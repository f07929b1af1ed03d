// Runs in a pod that has no other file of this repository: listens on the endpoints in its argument until it is
// stopped.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

interface End {
  address: string;
  port: number;
  protocol: 'tcp' | 'udp';
}

const ends: End[] = JSON.parse(process.argv[1] ?? '[]');
for (const { address, port, protocol } of ends) {
  if (protocol === 'tcp') {
    createServer((socket) => socket.end()).listen(port, address);
  } else {
    const socket = createSocket('udp4');
    socket.on('message', (message, from) => socket.send(message, from.port, from.address));
    socket.bind(port, address);
  }
}
// The first process of a container handles a signal only if it installs a handler, and without a server it would exit
// immediately.
process.once('SIGTERM', () => process.exit());
setInterval(() => {}, 1_000_000);
