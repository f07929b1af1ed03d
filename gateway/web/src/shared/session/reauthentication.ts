import { createStore, useStore } from '../state/createStore.ts';

/** The user declined to enter the password. */
export class ReauthenticationDeclined extends Error {}

interface PasswordRequest {
  /** Resolves when the user has entered the password. */
  given: Promise<void>;
  onGiven(): void;
  onDeclined(): void;
}

const openRequest = createStore<PasswordRequest | undefined>(undefined);

/** Returns the open password request, if any. */
export const usePasswordRequest = (): PasswordRequest | undefined =>
  useStore(openRequest, (request) => request);

/**
 * Asks for the password in a dialog, once for all concurrent requests.
 * @throws ReauthenticationDeclined if the user declines
 */
export function reauthenticate(): Promise<void> {
  const open = openRequest.get();
  if (open) return open.given;
  const { promise: given, resolve, reject } = Promise.withResolvers<void>();
  openRequest.set({
    given,
    onGiven: () => {
      openRequest.set(undefined);
      resolve();
    },
    onDeclined: () => {
      openRequest.set(undefined);
      reject(new ReauthenticationDeclined());
    },
  });
  return given;
}

/** Whether the installation allows a request only shortly after the user has entered the password. */
export const needsReauthentication = (status: number, message: unknown): boolean =>
  status === 403 && message === 'Reauthentication Required';
