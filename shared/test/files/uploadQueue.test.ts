import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import { UploadQueue, type UploadTurn } from '../../src/files/uploadQueue.ts';

interface Client {
  turn: UploadTurn | undefined;
  failure: unknown;
  abort(reason: Error): void;
}

function enter(queue: UploadQueue, userId: number, { isPaused = false } = {}): Client {
  const controller = new AbortController();
  const client: Client = {
    turn: undefined,
    failure: undefined,
    abort: (reason) => controller.abort(reason),
  };
  queue.enter({ userId, isPaused: () => isPaused, signal: controller.signal }).then(
    (turn) => {
      client.turn = turn;
    },
    (error) => {
      client.failure = error;
    },
  );
  return client;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const hasTurn = ({ turn }: Client) => turn !== undefined;
const end = ({ turn }: Client) => turn?.[Symbol.dispose]();

test('uploads wait for a slot, served round-robin by user', async () => {
  const queue = new UploadQueue({ slots: 1, perUser: 1 });
  // Paused by this process, so that no client counts as slow.
  const [first, second, third, other] = [1, 1, 1, 2].map((user) => enter(queue, user, { isPaused: true }));
  if (!first || !second || !third || !other) throw new Error('not entered');
  await settle();
  expect([first, second, third, other].map(hasTurn)).toEqual([true, false, false, false]);
  end(first);
  await settle();
  expect([second, third, other].map(hasTurn)).toEqual([true, false, false]);
  end(second);
  await settle();
  expect([third, other].map(hasTurn)).toEqual([false, true]);
  end(other);
  await settle();
  expect(hasTurn(third)).toBe(true);
});

test('an upload whose client has disconnected leaves the queue', async () => {
  const queue = new UploadQueue({ slots: 1, perUser: 1 });
  const [first, gone, last] = [1, 2, 3].map((user) => enter(queue, user, { isPaused: true }));
  if (!first || !gone || !last) throw new Error('not entered');
  gone.abort(new Error('the client disconnected'));
  await settle();
  expect(gone.failure).toMatchObject({ message: 'the client disconnected' });
  end(first);
  await settle();
  expect([gone, last].map(hasTurn)).toEqual([false, true]);
});

test('a slow client gives up its slot while its body arrives, and waits for another one afterwards', async () => {
  const queue = new UploadQueue({ slots: 1, perUser: 1 });
  const [slow, fast] = [enter(queue, 1), enter(queue, 2)];
  await waitFor(() => hasTurn(fast));
  let isBack = false;
  const received = slow.turn?.received().then(() => {
    isBack = true;
  });
  await settle();
  expect(isBack).toBe(false);
  end(fast);
  await received;
  const next = enter(queue, 3);
  await settle();
  expect(hasTurn(next)).toBe(false);
  end(slow);
  await waitFor(() => hasTurn(next));
});

test('a client does not count as slow if this process cannot keep up or its body has arrived', async () => {
  const queue = new UploadQueue({ slots: 2, perUser: 1 });
  const [paused, received] = [enter(queue, 1, { isPaused: true }), enter(queue, 2)];
  await waitFor(() => hasTurn(received));
  await received.turn?.received();
  const next = enter(queue, 3);
  // This delay is deliberate: a client that is slow for a second gives up its slot.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(hasTurn(next)).toBe(false);
  end(paused);
  await waitFor(() => hasTurn(next));
});
