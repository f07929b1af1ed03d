import { createStore, type ReadableStore } from '../state/createStore.ts';
import { type AccessToken, type Role, readAccessToken } from './accessToken.ts';
import type { SessionMessage, TabChannel } from './tabChannel.ts';

export interface Person {
  id: number;
  name: string;
  role: Role;
}

export type SessionState =
  | { status: 'starting' }
  | { status: 'out' }
  | { status: 'in'; person: Person }
  /** The session ended while the application was open. A dialog asks the user to log in again; entered text is kept. */
  | { status: 'ended'; person: Person };

/** The session's dependencies. */
export interface SessionWorld {
  /**
   * Whether a user has logged in on this browser and not logged out. If not, a refresh would fail, so none is
   * attempted.
   */
  mayContinue(): boolean;
  remember(isLoggedIn: boolean): void;
  refresh(): Promise<string | undefined>;
  readName(token: string): Promise<string>;
  end(token: string | undefined): Promise<void>;
  /** Runs one call at a time across all tabs. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  channel: TabChannel;
  /** Reloads the page and drops its state, because another user has logged in. */
  reload(): void;
}

/** Rejects requests that were waiting when the user logged out. */
export class LoggedOut extends Error {}

type Waiting = { resolve(token: string): void; reject(error: Error): void };

/**
 * The session of this tab. The access token is held only in memory and shared by all tabs. A refresh invalidates the
 * previous token, so the refreshing tab sends the new token to the others, and a lock lets only one tab refresh at a
 * time.
 */
export class Session {
  readonly #store = createStore<SessionState>({ status: 'starting' });
  readonly store: ReadableStore<SessionState> = this.#store;
  #token: AccessToken | undefined;
  #renewal: Promise<string> | undefined;
  readonly #waiting: Waiting[] = [];
  readonly #world: SessionWorld;

  constructor(world: SessionWorld) {
    this.#world = world;
    world.channel.listen((message) => this.#hear(message));
  }

  state(): SessionState {
    return this.#store.get();
  }

  /** Continues the session of the cookie, if there is one. */
  async start(): Promise<void> {
    if (!this.#world.mayContinue()) return this.#set({ status: 'out' });
    const text = await this.#refreshExclusively(undefined);
    if (text === undefined) this.#set({ status: 'out' });
    else await this.#enter(readAccessToken(text));
  }

  /** Uses the token of a new login, here and in the other tabs. */
  async begin(text: string): Promise<void> {
    const token = readAccessToken(text);
    this.#world.channel.tell({ kind: 'token', text });
    await this.#enter(token);
  }

  async logOut(): Promise<void> {
    const token = this.#token?.text;
    await this.#world.end(token);
    this.#world.channel.tell({ kind: 'out' });
    this.#leave();
  }

  /** Returns the current token. Waits while the user is asked to log in again. */
  token(): Promise<string> {
    if (this.state().status === 'ended') return this.#wait();
    if (this.#token) return Promise.resolve(this.#token.text);
    return this.#renewal ?? Promise.reject(new LoggedOut('No user is logged in'));
  }

  /** Returns a new token after `failed` was rejected. */
  renew(failed: string): Promise<string> {
    if (this.state().status === 'ended') return this.#wait();
    if (this.#token && this.#token.text !== failed) return Promise.resolve(this.#token.text);
    this.#renewal ??= this.#renew(failed).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(failed: string): Promise<string> {
    const text = await this.#refreshExclusively(failed);
    if (text === undefined) return this.#ask();
    const token = readAccessToken(text);
    if (!this.#isSamePerson(token)) return this.#ask();
    this.#token = token;
    return text;
  }

  #refreshExclusively(failed: string | undefined): Promise<string | undefined> {
    return this.#world.exclusively(async () => {
      // Another tab may have refreshed while this one waited for the lock.
      if (this.#token && this.#token.text !== failed) return this.#token.text;
      const text = await this.#world.refresh();
      if (text !== undefined) this.#world.channel.tell({ kind: 'token', text });
      return text;
    });
  }

  #ask(): Promise<string> {
    const state = this.state();
    if (state.status !== 'in') return Promise.reject(new LoggedOut('No user is logged in'));
    this.#token = undefined;
    this.#set({ status: 'ended', person: state.person });
    return this.#wait();
  }

  #wait(): Promise<string> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  async #enter(token: AccessToken): Promise<void> {
    const before = this.state();
    if (!this.#isSamePerson(token)) return this.#world.reload();
    this.#token = token;
    const { personId: id, role } = token;
    const known = before.status === 'ended' || before.status === 'in' ? before.person.name : undefined;
    // Without auth the application still opens, but without the user's name.
    const name = known ?? (await this.#world.readName(token.text).catch(() => ''));
    if (this.#token?.personId !== id) return;
    this.#set({ status: 'in', person: { id, name, role } });
    for (const { resolve } of this.#waiting.splice(0)) resolve(this.#token.text);
  }

  #isSamePerson(token: AccessToken): boolean {
    const state = this.state();
    return state.status === 'starting' || state.status === 'out' || state.person.id === token.personId;
  }

  #leave(): void {
    this.#token = undefined;
    this.#set({ status: 'out' });
    for (const { reject } of this.#waiting.splice(0)) reject(new LoggedOut('Logged out'));
  }

  #hear(message: SessionMessage): void {
    if (message.kind === 'out') {
      if (this.state().status === 'in' || this.state().status === 'ended') this.#leave();
      return;
    }
    const token = readAccessToken(message.text);
    if (this.state().status === 'in' && this.#isSamePerson(token)) this.#token = token;
    // A tab that is starting waits for its own refresh.
    else if (this.state().status !== 'starting') void this.#enter(token);
  }

  #set(state: SessionState): void {
    if (state.status !== 'ended') this.#world.remember(state.status === 'in');
    this.#store.set(state);
  }
}
