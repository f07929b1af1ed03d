// Runs in a pod that has no other file of this repository: connects to the endpoints in its argument, and prints as
// JSON whether each responded.
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';

interface End {
  address: string;
  port: number;
  protocol: 'tcp' | 'udp';
}

const limitMs = 2_000;
// A query for the address of `localhost`, to which any DNS server responds.
const dnsQuestion = Buffer.from('000101000001000000000000096c6f63616c686f73740000010001', 'hex');

const ends: End[] = JSON.parse(process.argv[1] ?? '[]');
// A second attempt for endpoints that did not respond: a plugin may apply a policy some time after a new pod starts.
const answers = await Promise.all(ends.map(async (end) => (await answersAt(end)) || (await answersAt(end))));
process.stdout.write(JSON.stringify(answers));
process.exit();

function answersAt({ address, port, protocol }: End): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), limitMs);
    if (protocol === 'tcp') {
      const socket = connect({ host: address, port });
      socket.once('connect', () => resolve(true));
      // A refusal also waits for the full limit, so that the second attempt is later.
      socket.once('error', () => {});
      setTimeout(() => socket.destroy(), limitMs);
    } else {
      const socket = createSocket('udp4');
      socket.once('message', () => resolve(true));
      socket.once('error', () => {});
      socket.send(dnsQuestion, port, address);
    }
  });
}
