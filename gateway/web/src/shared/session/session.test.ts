import { expect, test, vi } from 'vitest';
import { Session, type SessionWorld } from './session.ts';
import type { SessionMessage } from './tabChannel.ts';

const tokenOf = (personId: number, number: number) =>
  `h.${btoa(JSON.stringify({ sub: String(personId), role: 'instructor', exp: 2_000_000_000, number }))}.s`;

/** The tabs of one browser, which share a lock and a channel. */
class Browser {
  readonly listeners: { tab: object; listener: (message: SessionMessage) => void }[] = [];
  #lock: Promise<unknown> = Promise.resolve();
  refreshes = 0;
  hasSession = true;
  answer: () => string | undefined = () => tokenOf(7, this.refreshes);

  open() {
    const tab = {};
    const world: SessionWorld = {
      mayContinue: () => this.hasSession,
      remember: (isLoggedIn) => {
        this.hasSession = isLoggedIn;
      },
      refresh: async () => {
        this.refreshes += 1;
        return this.answer();
      },
      readName: async () => 'Emmy Noether',
      end: async () => {},
      exclusively: (work) => {
        const turn = this.#lock.then(work, work);
        this.#lock = turn.catch(() => {});
        return turn;
      },
      channel: {
        tell: (message) => {
          for (const other of this.listeners) if (other.tab !== tab) other.listener(message);
        },
        listen: (listener) => this.listeners.push({ tab, listener }),
      },
      reload: vi.fn(),
    };
    return { session: new Session(world), world };
  }
}

test('an existing cookie continues the session', async () => {
  const { session } = new Browser().open();
  await session.start();
  expect(session.state()).toEqual({
    status: 'in',
    person: { id: 7, name: 'Emmy Noether', role: 'instructor' },
  });
});

test('no request is made in a browser where no user has logged in', async () => {
  const browser = new Browser();
  browser.hasSession = false;
  const { session } = browser.open();
  await session.start();
  expect(session.state().status).toBe('out');
  expect(browser.refreshes).toBe(0);
});

test('two tabs whose token was rejected refresh it once', async () => {
  const browser = new Browser();
  const [one, other] = [browser.open().session, browser.open().session];
  await one.start();
  await other.start();
  const before = browser.refreshes;
  const failed = await other.token();
  expect(await one.token()).toBe(failed);
  const renewed = await Promise.all([one.renew(failed), other.renew(failed), one.renew(failed)]);
  expect(browser.refreshes).toBe(before + 1);
  expect(new Set(renewed).size).toBe(1);
});

test('a request waits until the user has logged in again', async () => {
  const browser = new Browser();
  const { session } = browser.open();
  await session.start();
  browser.answer = () => undefined;
  const waiting = session.renew(await session.token());
  await expect.poll(() => session.state().status).toBe('ended');
  await session.begin(tokenOf(7, 99));
  expect(await waiting).toBe(tokenOf(7, 99));
  expect(session.state().status).toBe('in');
});

test('a login by another user reloads the page', async () => {
  const browser = new Browser();
  const { session, world } = browser.open();
  await session.start();
  await session.begin(tokenOf(8, 1));
  expect(world.reload).toHaveBeenCalledOnce();
});

test('logging out in one tab logs out the other, and its waiting requests fail', async () => {
  const browser = new Browser();
  const [one, other] = [browser.open().session, browser.open().session];
  await one.start();
  await other.start();
  browser.answer = () => undefined;
  const waiting = other.renew(await other.token());
  const refused = expect(waiting).rejects.toThrow('Logged out');
  await expect.poll(() => other.state().status).toBe('ended');
  await one.logOut();
  expect(other.state().status).toBe('out');
  await refused;
});

test('a service that is down does not end the session', async () => {
  const browser = new Browser();
  const { session } = browser.open();
  await session.start();
  browser.answer = () => {
    throw new Error('Service Unavailable');
  };
  await expect(session.renew(await session.token())).rejects.toThrow('Service Unavailable');
  expect(session.state().status).toBe('in');
});
