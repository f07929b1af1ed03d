import type { Clock } from '@gradeway/shared/http/timestamps';
import type { ImportRepository } from '../data/importRepository.ts';
import type { Import, ImportCount, ImportRow } from '../domain/import.ts';
import { fileNames } from '../oneroster/archive.ts';

interface Dependencies {
  imports: ImportRepository;
  clock: Clock;
}

const actions = ['create', 'update', 'delete', 'unchanged', 'ignored', 'error'] as const;
const rowsAtOnce = 1_000;

/** An import without its rows: how far it is, and what it comes to. */
export async function importView({ imports, clock }: Dependencies, plan: Import) {
  const { id, state, isPaid, createdAt, expiresAt, committedAt, doneRows, totalRows, ignored } = plan;
  return {
    id,
    // Being taken back it is as good as never begun.
    state: state === 'releasing' ? 'planned' : state,
    paid: isPaid,
    done: doneRows,
    total: totalRows,
    summary: summary(await imports.counts(id)),
    ignored,
    created_at: clock.format(createdAt),
    expires_at: clock.format(expiresAt),
    committed_at: committedAt && clock.format(committedAt),
  };
}

const summary = (counts: ImportCount[]) =>
  Object.fromEntries(
    fileNames.map((name) => {
      const ofFile = counts.filter(({ file }) => file === name);
      const countOf = (action: string) => ofFile.find((each) => each.action === action)?.count ?? 0;
      return [name, Object.fromEntries(actions.map((action) => [action, countOf(action)]))];
    }),
  );

/** An import with every row, piece by piece: the answer may be as long as the archive. */
export async function* importText(
  dependencies: Dependencies,
  plan: Import,
  token: string | null,
): AsyncGenerator<string> {
  const head = JSON.stringify({ ...(await importView(dependencies, plan)), token });
  yield `{"data":${head.slice(0, -1)},"rows":[`;
  let separator = '';
  for await (const rows of dependencies.imports.rows(plan.id, rowsAtOnce)) {
    yield separator + rows.map((row) => JSON.stringify(rowView(row))).join(',');
    separator = ',';
  }
  yield ']}}';
}

const rowView = ({ file, line, sourcedId, action, changes, messages }: ImportRow) => ({
  ...{ file: `${file}.csv`, line, sourced_id: sourcedId, action, changes, messages },
});

/** What is wrong with bad rows, by file and line. */
export const rowErrors = (rows: ImportRow[]): Record<string, string[]> =>
  Object.fromEntries(rows.map(({ file, line, messages }) => [`${file}.csv:${line}`, messages]));
