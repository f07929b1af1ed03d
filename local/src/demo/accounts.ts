import { type ApiClient, logIn } from '../apiClient.ts';
import { forEachConcurrently } from './forEachConcurrently.ts';
import { emailOf, instructors, type Person, students } from './people.ts';

export interface Account extends Person {
  id: number;
  client: ApiClient;
}

export interface Accounts {
  instructors: [Account, Account];
  students: Account[];
}

export const accountCount = instructors.length + students.length;

interface Options {
  admin: ApiClient;
  baseUrl: string;
  password: string;
  onDone(): void;
}

/** Creates the accounts of all people and logs them in. */
export async function createAccounts({ admin, baseUrl, password, onDone }: Options): Promise<Accounts> {
  const accounts = new Map<Person, Account>();
  // Hashing passwords takes far longer than everything else, so two are hashed at a time.
  await forEachConcurrently(2, [...instructors, ...students], async (person) => {
    const role = instructors.includes(person) ? 'instructor' : 'user';
    const { first_name, last_name } = person;
    const fields = { first_name, last_name, role, email: emailOf(person), password, is_verified: true };
    const id = await admin.create('/api/v3/admin/users', fields);
    accounts.set(person, { ...person, id, client: await logIn(baseUrl, emailOf(person), password) });
    onDone();
  });
  const of = (person: Person) => accounts.get(person) as Account;
  return { instructors: [of(instructors[0]), of(instructors[1])], students: students.map(of) };
}
