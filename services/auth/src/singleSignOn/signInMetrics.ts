import { counter } from '@gradeway/shared/metrics/registry';
import { type Refusal, signInRefusals } from './domain/signInRefusal.ts';

const results = ['opened', 'linked', ...signInRefusals, 'error'] as const;

export type SignInResult = 'opened' | 'linked' | 'error' | Refusal;

const signIns = counter(
  'gradeway_sso_sign_ins_total',
  'Sign-ins with an OpenID provider, by its id: opened; linked; refused (failed, no_account, blocked, taken); unavailable (the provider); second_factor or reauthentication (asked for); error (of Gradeway)',
  ['provider', 'result'],
);

/** Exports the metric even before the first sign-in. */
export function declareProviders(providers: string[]): void {
  for (const provider of providers)
    for (const result of results) if (result !== 'unknown_provider') signIns.inc({ provider, result }, 0);
}

export function countSignIn(provider: string, result: SignInResult): void {
  signIns.inc({ provider, result });
}
