import { randomBytes } from 'node:crypto';
import type { CsvRecord } from '@gradeway/shared/csv/csvRecords';
import { AppError, invalid } from '@gradeway/shared/errors/appError';
import type { ImportDependencies } from '../dependencies.ts';
import { type Archive, fileNames, openArchive } from '../oneroster/archive.ts';
import { readCsvRecords } from '../oneroster/csvRecords.ts';
import { checkManifest } from '../oneroster/manifest.ts';
import { parseRow, requiredColumns } from '../oneroster/parseRow.ts';
import type { Import, NewRow } from './import.ts';
import type { UserDecision } from './importedUser.ts';
import { ImportLease } from './importLease.ts';

interface ImportRequest {
  id: string;
  /** Path of the archive on disk. */
  path: string;
  isPaid: boolean;
  createdBy: number;
}

interface PlannedImport {
  plan: Import;
  /** Commits exactly this plan; null when it has invalid rows. Only its hash is stored. */
  token: string | null;
}

// CSV text compresses to about a tenth of its size. A higher ratio suggests a ZIP bomb.
const maxCompressionRatio = 20;
const rowsPerBatch = 500;
// Even with the longest names and addresses, this many users fit into a gRPC message.
const usersPerBatch = 100;
const sourcedIdsPerBatch = 500;
// How long the token of a dry run is valid and its rows are stored.
const planTtlMs = 86_400_000;

/** Reads an archive and plans its changes. Writes only the plan. */
export async function planArchive(
  dependencies: ImportDependencies,
  request: ImportRequest,
): Promise<PlannedImport> {
  const { imports, plans, accounts, limits, log } = dependencies;
  const { id, isPaid, createdBy } = request;
  using archive = await openArchive(request.path, {
    maxInflatedBytes: limits.maxBytes * maxCompressionRatio,
  });
  await checkManifest(archive);
  // Fails fast when auth is unreachable, rather than after minutes of password hashing.
  await accounts.find([]);
  using lease = new ImportLease();
  const newImport = { id, isPaid, createdBy, ttlMs: planTtlMs, leaseHolder: lease.holder };
  const plan = await imports.create(newImport);
  if (!plan)
    throw new AppError('conflict', 'An import with this id already exists.', { reason: 'import_exists' });
  lease.startRenewing(imports, id, log);
  try {
    const rows = await storeRows(dependencies, id, archive, lease);
    await plans.analyze();
    await plans.rejectDuplicates(id);
    await plans.planCourses(id, rows);
    await plans.planClasses(id, rows);
    await planUsers(dependencies, plan, archive, lease);
    await loadKnownAccounts(dependencies, id, rows);
    await plans.analyze();
    await plans.planEnrollments(id, rows, isPaid);

    const isValid = (await imports.badRows(id, 1)).length === 0;
    const token = isValid ? randomBytes(32).toString('base64url') : null;
    const finished = await imports.finishPlan(id, lease.holder, { token, rows, ignored: archive.ignored });
    if (!finished) throw new Error(`the lease of import ${id} expired before its plan was finished`);
    return { plan: finished, token };
  } catch (error) {
    await imports.delete(id).catch(() => {
      // The lease expires, and the job in finishImports.ts deletes the import.
    });
    throw error;
  }
}

/** Stores every row of the archive, but no passwords. Returns the number of rows. */
async function storeRows(
  { plans, limits }: ImportDependencies,
  id: string,
  archive: Archive,
  lease: ImportLease,
): Promise<number> {
  let position = 0;
  for (const file of fileNames) {
    if (!archive.has(file)) continue;
    const name = `${file}.csv`;
    const records = readCsvRecords(await archive.open(file), name, requiredColumns[file]);
    for await (const batch of inBatches(records, rowsPerBatch)) {
      const firstBeyondLimit = batch[limits.maxRows - position];
      if (firstBeyondLimit)
        throw invalid({
          [`${name}:${firstBeyondLimit.line}`]: [`An archive may not have more than ${limits.maxRows} rows.`],
        });
      const rows: NewRow[] = batch.map(({ line, cells, hasExtraCells }, index) => ({
        position: position + index,
        file,
        line,
        ...parseRow(file, cells, hasExtraCells),
      }));
      position += rows.length;
      await plans.insertRows(id, rows);
      lease.progress.total = position;
    }
  }
  return position;
}

/**
 * Has auth plan the rows of users.csv. Reads the file a second time, so that passwords go directly from the file to
 * auth and are never stored here.
 */
async function planUsers(
  dependencies: ImportDependencies,
  plan: Import,
  archive: Archive,
  lease: ImportLease,
): Promise<void> {
  const { plans, accounts, limits } = dependencies;
  // Registers the import with auth even when it has no users, because it is reserved and completed in any case.
  await accounts.plan(plan.id, plan.expiresAt, []);
  if (!archive.has('users')) return;
  let done = 0;
  let passwordCount = 0;
  const records = readCsvRecords(await archive.open('users'), 'users.csv', requiredColumns.users);
  for await (const batch of inBatches(records, usersPerBatch)) {
    const passwords = new Map(batch.map(({ line, cells }) => [line, cells.password ?? '']));
    // users.csv comes first, so its rows have the first positions of the plan.
    const undecided = await plans.undecidedUsers(plan.id, done, done + batch.length - 1);
    const users = undecided.map((user) => ({ ...user, password: passwords.get(user.line) ?? '' }));
    const decisions = users.length > 0 ? await accounts.plan(plan.id, plan.expiresAt, users) : [];
    const positions = new Map(undecided.map(({ line, position }) => [line, position]));
    await plans.decideUsers(
      plan.id,
      decisions.map((each) => ({ ...each, position: positions.get(each.line) ?? -1 })),
    );
    const created = decisions.filter(({ action, line }) => action === 'create' && passwords.get(line));
    passwordCount += created.length;
    if (passwordCount > limits.maxPasswords) throw tooManyPasswords(limits.maxPasswords, created.at(-1));
    done += batch.length;
    lease.progress.done = done;
  }
}

const tooManyPasswords = (limit: number, user?: UserDecision): AppError =>
  invalid({
    [`users.csv:${user?.line}`]: [`An archive may not create more than ${limit} accounts with passwords.`],
  });

/** Loads the accounts of earlier imports that enrollments refer to but users.csv does not list. */
async function loadKnownAccounts(
  { plans, accounts }: ImportDependencies,
  id: string,
  rows: number,
): Promise<void> {
  let position = rows;
  for (let last = ''; ; ) {
    const sourcedIds = await plans.unlistedUsers(id, last, sourcedIdsPerBatch);
    if (sourcedIds.length === 0) return;
    const known = await accounts.find(sourcedIds);
    await plans.insertKnownAccounts(id, known, position);
    position += known.length;
    last = sourcedIds.at(-1) ?? '';
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
