import { AppError } from '@gradeway/shared/errors/appError';
import { counter } from '@gradeway/shared/metrics/registry';

const methods = ['password', 'code'] as const;
const outcomes = ['opened', 'refused', 'limited', 'failed'] as const;

const logins = counter(
  'gradeway_logins_total',
  'Logins: opened; refused (credentials, account or device); limited (too many failures); failed (server error)',
  ['method', 'outcome'],
);
for (const method of methods) for (const outcome of outcomes) logins.inc({ method, outcome }, 0);

/** Counts a login by its outcome. There is no user label. */
export async function countLogin<T>(method: (typeof methods)[number], logIn: () => Promise<T>): Promise<T> {
  try {
    const result = await logIn();
    logins.inc({ method, outcome: 'opened' });
    return result;
  } catch (error) {
    logins.inc({ method, outcome: outcomeOf(error) });
    throw error;
  }
}

function outcomeOf(error: unknown): (typeof outcomes)[number] {
  if (!(error instanceof AppError)) return 'failed';
  switch (error.code) {
    case 'too_many_requests':
      return 'limited';
    case 'internal':
    case 'unavailable':
    case 'timeout':
      return 'failed';
    default:
      return 'refused';
  }
}
