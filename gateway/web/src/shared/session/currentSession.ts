import { useStore } from '../state/createStore.ts';
import { type Person, Session, type SessionState } from './session.ts';
import { endSession, readName, refreshSession } from './sessionRequests.ts';
import { openTabChannel } from './tabChannel.ts';

const key = 'gradeway.session';

/** The session of this tab. */
export const session = new Session({
  // The gateway sets the cookie after a sign-in with a provider, which no page observes.
  mayContinue: () => localStorage.getItem(key) !== null || document.cookie.includes('session-started'),
  remember: (isLoggedIn) => {
    if (isLoggedIn) localStorage.setItem(key, '1');
    else localStorage.removeItem(key);
    // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API
    document.cookie = 'session-started=; Max-Age=0; Path=/';
  },
  refresh: refreshSession,
  readName,
  end: endSession,
  exclusively: (work) => navigator.locks.request('gradeway-session', work),
  channel: openTabChannel(),
  reload: () => location.reload(),
});

export const useSessionState = (): SessionState => useStore(session.store, (state) => state);

/** Returns the logged-in user. Only for components that are shown after login. */
export function usePerson(): Person {
  const state = useSessionState();
  return 'person' in state ? state.person : { id: 0, name: '', role: 'user' };
}
