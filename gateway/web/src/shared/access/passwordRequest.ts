import { useSyncExternalStore } from 'react';

/** The user declined to enter the password. */
export class PasswordNotGiven extends Error {}

interface PasswordRequest {
  /** Resolves when the user has entered the password. */
  answer: Promise<void>;
  onGiven(): void;
  onRefused(): void;
}

let request: PasswordRequest | undefined;
const listeners = new Set<() => void>();

function show(next: PasswordRequest | undefined): void {
  request = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the open password request, if any. */
export const usePasswordRequest = (): PasswordRequest | undefined =>
  useSyncExternalStore(subscribe, () => request);

/**
 * Asks for the password in a dialog, once for all concurrent requests.
 * @throws PasswordNotGiven if the user declines
 */
export function askForPassword(): Promise<void> {
  if (!request) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const close = (finish: () => void) => () => {
      show(undefined);
      finish();
    };
    show({
      answer: promise,
      onGiven: close(resolve),
      onRefused: close(() => reject(new PasswordNotGiven())),
    });
  }
  return (request as PasswordRequest).answer;
}

/** Whether the installation allows a request only shortly after the user has entered the password. */
export const needsPassword = (status: number, message: unknown): boolean =>
  status === 403 && message === 'Reauthentication Required';
