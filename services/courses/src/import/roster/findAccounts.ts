import type { LineError } from '@gradeway/shared/csv/tableFile';
import { batches } from '@gradeway/shared/database/batches';
import type { AccountImportClient } from '../clients/accountImportClient.ts';
import type { Import } from '../domain/import.ts';
import type { Roster, RosterLine } from './readRoster.ts';
import type { FoundStudent } from './rosterStudent.ts';

// This many students fit into a gRPC message, even with the longest names and addresses.
const addressesPerCall = 500;
const accountsPerCall = 100;

const columns = {
  first_name: 'first_name',
  last_name: 'last_name',
  email: 'email',
};

interface Found {
  found: FoundStudent[];
  errors: LineError[];
}

/** Finds the accounts of the students in a roster by their addresses, and has auth plan those that are missing. */
export async function findAccounts(
  accounts: AccountImportClient,
  plan: Import,
  { roster, createsAccounts }: { roster: Roster; createsAccounts: boolean },
): Promise<Found> {
  const result: Found = { found: [], errors: [] };
  const missing: RosterLine[] = [];
  for (const lines of batches(roster.lines, addressesPerCall)) {
    const known = await accounts.findByEmail(lines.map(({ email }) => email));
    const accountOf = new Map(known.map((account) => [account.email.toLowerCase(), account]));
    for (const each of lines) {
      const account = accountOf.get(each.email.normalize('NFC').toLowerCase());
      if (!account) missing.push(each);
      else if (account.role === 'user')
        result.found.push({ line: each.line, account, sourcedId: '', isNew: false });
      else result.errors.push({ line: each.line, message: 'This is not the account of a student.' });
    }
  }
  const message = 'There is no account with this email.';
  if (!createsAccounts) result.errors.push(...missing.map(({ line }) => ({ line, message })));
  else
    for (const lines of batches(missing, accountsPerCall))
      await planNewAccounts(accounts, plan, lines, result);
  return result;
}

async function planNewAccounts(
  accounts: AccountImportClient,
  { id, expiresAt }: Import,
  lines: RosterLine[],
  { found, errors }: Found,
): Promise<void> {
  const rows = lines.map(({ line, email, name, studentNumber }) => ({
    ...{ line, sourcedId: studentNumber, isDeleted: false, password: '' },
    wanted: { firstName: name?.firstName ?? '', lastName: name?.lastName ?? '', email, role: 'user' },
  }));
  const numberOf = new Map(lines.map(({ line, studentNumber }) => [line, studentNumber]));
  for (const { line, action, account, messages } of await accounts.plan(id, expiresAt, rows, columns)) {
    if (action === 'create' && account)
      found.push({ line, account, sourcedId: numberOf.get(line) ?? '', isNew: true });
    // An account with the address or the student number exists, and a roster changes no account.
    else if (action === 'error' && messages.length > 0)
      errors.push(...messages.map((message) => ({ line, message })));
    else errors.push({ line, message: 'The student_number belongs to another account.' });
  }
}
