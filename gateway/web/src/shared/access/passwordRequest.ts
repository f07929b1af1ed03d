import { useSyncExternalStore } from 'react';

/** The user did not want to enter the password. */
export class PasswordNotGiven extends Error {}

interface PasswordRequest {
  /** Resolved when the password was given. */
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

/** The question for the password that is open, if any. */
export const usePasswordRequest = (): PasswordRequest | undefined =>
  useSyncExternalStore(subscribe, () => request);

/** Asks for the password in a dialog, once for all requests that wait for it. @throws PasswordNotGiven */
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

/** Whether an installation permits a request only to a user who has just entered the password. */
export const needsPassword = (status: number, message: unknown): boolean =>
  status === 403 && message === 'Reauthentication Required';
