import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/apiError.ts';
import { answerOf, api } from '../api/client.ts';

/** The administrator did not want to give the password. */
export class PasswordNotGiven extends Error {}

interface PasswordRequest {
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

const isAskedFor = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 403 && error.message === 'Reauthentication Required';

/**
 * Runs a request that an installation may permit only to a user who has just entered their password. Then a dialog asks for
 * it, and the request is sent again.
 */
export async function withPassword<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAskedFor(error)) throw error;
  }
  await new Promise<void>((resolve, reject) =>
    show({ onGiven: resolve, onRefused: () => reject(new PasswordNotGiven()) }),
  ).finally(() => show(undefined));
  return work();
}

export async function givePassword(password: string): Promise<void> {
  await answerOf(api.POST('/api/v3/reauthenticate', { body: { password } }));
}
