/** A person of the demo school. `login` is the local part of their email address at `demo.gradeway.local`. */
export interface Person {
  first_name: string;
  /** Null for a person with a single name. */
  last_name: string | null;
  login: string;
}

const person = (first_name: string, last_name: string | null, login: string): Person => ({
  first_name,
  last_name,
  login,
});

export const instructors: readonly [Person, Person] = [
  person('Emmy', 'Noether', 'emmy'),
  person('David', 'Hilbert', 'david'),
];

/** The first two are announced as student accounts to try. */
export const students: readonly Person[] = [
  person('Ada', 'Lovelace', 'ada'),
  person('Évariste', 'Galois', 'evariste'),
  person('محمد', 'الخوارزمي', 'muhammad'),
  person('Sofya', 'Kovalevskaya', 'sofya'),
  person('Srinivasa', 'Ramanujan', 'srinivasa'),
  person('عمر', 'الخيام', 'omar'),
  person('Sophie', 'Germain', 'sophie'),
  person('Niels Henrik', 'Abel', 'niels'),
  person('ثابت', 'بن قرة', 'thabit'),
  person('Maria Gaetana', 'Agnesi', 'maria'),
  person('Leonhard', 'Euler', 'leonhard'),
  person('祖', '冲之', 'zu'),
  person('Hypatia', null, 'hypatia'),
  person('Carl Friedrich', 'Gauß', 'carl'),
];

export const emailOf = ({ login }: Person): string => `${login}@demo.gradeway.local`;
