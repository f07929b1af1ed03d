import { randomBytes } from 'node:crypto';
import { AppError, invalid } from '@gradeway/shared/errors/appError';
import type { NewRow } from '../data/planRepository.ts';
import type { ImportDependencies } from '../dependencies.ts';
import { type Archive, fileNames, openArchive } from '../oneroster/archive.ts';
import { type CsvRecord, readRecords } from '../oneroster/csvRecords.ts';
import { checkManifest } from '../oneroster/manifest.ts';
import { readRow, requiredColumns } from '../oneroster/parseRow.ts';
import type { Import } from './import.ts';
import { Claim } from './importLease.ts';

interface Wanted {
  id: string;
  /** Where the archive is on disk. */
  path: string;
  isPaid: boolean;
  createdBy: number;
}

export interface Planned {
  plan: Import;
  /** Commits exactly this plan; null when it has bad rows. Only its hash is kept. */
  token: string | null;
}

// Text shrinks to a tenth; what shrinks more is no school.
const inflation = 20;
const rowsAtOnce = 500;
// As many of the longest names and addresses fit into a gRPC message.
const usersAtOnce = 100;
const namesAtOnce = 500;

/** Reads an archive and works out what it would change. Nothing changes but what is noted of the plan. */
export async function planImport(dependencies: ImportDependencies, wanted: Wanted): Promise<Planned> {
  const { imports, plans, accounts, limits, log } = dependencies;
  const { id, isPaid, createdBy } = wanted;
  using archive = await openArchive(wanted.path, { maxInflatedBytes: limits.maxBytes * inflation });
  await checkManifest(archive);
  // An auth that is away is known at once, not after the longest hashing of passwords.
  await accounts.find([]);
  using claim = new Claim();
  const begun = { id, isPaid, createdBy, ttlMs: limits.planTtlMs, claimedBy: claim.holder };
  const plan = await imports.begin(begun);
  if (!plan) throw new AppError('conflict', 'There is an import of this id already.');
  claim.hold(imports, id, log);
  try {
    const rows = await readArchive(dependencies, id, archive, claim);
    await plans.analyse();
    await plans.markTwins(id);
    await plans.planCourses(id, rows);
    await plans.planClasses(id, rows);
    await planUsers(dependencies, plan, archive, claim);
    await findKnown(dependencies, id, rows);
    await plans.analyse();
    await plans.planEnrollments(id, rows, isPaid);

    const isGood = (await imports.badRows(id, 1)).length === 0;
    const token = isGood ? randomBytes(32).toString('base64url') : null;
    const finished = await imports.finishPlan(id, claim.holder, { token, rows, ignored: archive.ignored });
    if (!finished) throw new Error(`the plan of import ${id} took too long to note`);
    return { plan: finished, token };
  } catch (error) {
    await imports.delete(id).catch(() => {
      // Without another sign of life it is forgotten all the same (finishImports.ts).
    });
    throw error;
  }
}

/** Notes every row of the archive, without passwords. Returns how many there are. */
async function readArchive(
  { plans, limits }: ImportDependencies,
  id: string,
  archive: Archive,
  claim: Claim,
): Promise<number> {
  let position = 0;
  for (const file of fileNames) {
    if (!archive.has(file)) continue;
    const name = `${file}.csv`;
    const records = readRecords(await archive.open(file), name, requiredColumns[file]);
    for await (const batch of inBatches(records, rowsAtOnce)) {
      const oneTooMany = batch[limits.maxRows - position];
      if (oneTooMany)
        throw invalid({
          [`${name}:${oneTooMany.line}`]: [`An archive may not have more than ${limits.maxRows} rows.`],
        });
      const rows: NewRow[] = batch.map(({ line, cells, isUneven }, index) => ({
        ...{ position: position + index, file, line },
        ...readRow(file, cells, isUneven),
      }));
      position += rows.length;
      await plans.insertRows(id, rows);
      claim.progress.total = position;
    }
  }
  return position;
}

/** Lets auth plan its part. The file is read once more: passwords go to auth and are kept nowhere on the way. */
async function planUsers(
  dependencies: ImportDependencies,
  plan: Import,
  archive: Archive,
  claim: Claim,
): Promise<void> {
  const { plans, accounts, limits } = dependencies;
  // Also an import without accounts is one that auth reserves and completes.
  await accounts.plan(plan.id, plan.expiresAt, []);
  if (!archive.has('users')) return;
  let withPassword = 0;
  let done = 0;
  const records = readRecords(await archive.open('users'), 'users.csv', requiredColumns.users);
  for await (const batch of inBatches(records, usersAtOnce)) {
    const passwords = new Map(batch.map(({ line, cells }) => [line, cells.password ?? '']));
    // They are the first rows of the plan, in the order of the file.
    const undecided = await plans.undecidedUsers(plan.id, done, done + batch.length - 1);
    const users = undecided.map((user) => ({ ...user, password: passwords.get(user.line) ?? '' }));
    const decisions = users.length > 0 ? await accounts.plan(plan.id, plan.expiresAt, users) : [];
    const positions = new Map(undecided.map(({ line, position }) => [line, position]));
    await plans.decideUsers(
      plan.id,
      decisions.map((each) => ({ ...each, position: positions.get(each.line) ?? -1 })),
    );

    const hashed = decisions.filter(({ action, line }) => action === 'create' && passwords.get(line));
    withPassword += hashed.length;
    if (withPassword > limits.maxPasswords) {
      const sentence = `An archive may not make more than ${limits.maxPasswords} accounts with a password of their own.`;
      throw invalid({ [`users.csv:${hashed.at(-1)?.line}`]: [sentence] });
    }
    done += batch.length;
    claim.progress.done = done;
  }
}

/** Looks up whom enrollments refer to beside users.csv: people of earlier imports. */
async function findKnown({ plans, accounts }: ImportDependencies, id: string, rows: number): Promise<void> {
  let position = rows;
  for (let last = ''; ; ) {
    const names = await plans.unknownUsers(id, last, namesAtOnce);
    if (names.length === 0) return;
    const known = await accounts.find(names);
    await plans.insertKnown(id, known, position);
    position += known.length;
    last = names.at(-1) ?? '';
  }
}

async function* inBatches(records: AsyncIterable<CsvRecord>, size: number): AsyncGenerator<CsvRecord[]> {
  let batch: CsvRecord[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
