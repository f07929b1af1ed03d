import type { Clock } from '@gradeway/shared/http/timestamps';
import type { Import, ImportCount, ImportRow } from '../domain/import.ts';
import { fileNames } from '../oneroster/archive.ts';

/** An import with all of its rows, as it appears in the response. */
interface ImportContent {
  plan: Import;
  counts: ImportCount[];
  /** In batches. */
  rows: AsyncIterable<ImportRow[]>;
  /** Null when the import cannot be committed. */
  token: string | null;
}

const actions = ['create', 'update', 'delete', 'unchanged', 'ignored', 'error'] as const;

/** An import without its rows: its progress and a summary of its actions. */
export function importView(plan: Import, counts: ImportCount[], clock: Clock) {
  const { id, state, isPaid, createdAt, expiresAt, committedAt, doneRows, totalRows, ignored } = plan;
  return {
    id,
    // An aborted commit returns to `planned` as soon as auth has released its accounts.
    state: state === 'releasing' ? 'planned' : state,
    paid: isPaid,
    done: doneRows,
    total: totalRows,
    summary: summarize(counts),
    ignored,
    created_at: clock.format(createdAt),
    expires_at: clock.format(expiresAt),
    committed_at: committedAt && clock.format(committedAt),
  };
}

const summarize = (counts: ImportCount[]) =>
  Object.fromEntries(
    fileNames.map((name) => {
      const ofFile = counts.filter(({ file }) => file === name);
      const countOf = (action: string) => ofFile.find((each) => each.action === action)?.count ?? 0;
      return [name, Object.fromEntries(actions.map((action) => [action, countOf(action)]))];
    }),
  );

/** Yields an import as chunks of JSON, because the response can be as long as the archive. */
export async function* importJson(
  { plan, counts, rows, token }: ImportContent,
  clock: Clock,
): AsyncGenerator<string> {
  const head = JSON.stringify({ ...importView(plan, counts, clock), token });
  yield `{"data":${head.slice(0, -1)},"rows":[`;
  let separator = '';
  for await (const batch of rows) {
    yield separator + batch.map((row) => JSON.stringify(rowView(row))).join(',');
    separator = ',';
  }
  yield ']}}';
}

const rowView = ({ file, line, sourcedId, action, changes, messages }: ImportRow) => ({
  file: `${file}.csv`,
  line,
  sourced_id: sourcedId,
  action,
  changes,
  messages,
});

/** Messages by file and line, as the `errors` of a response. */
export const rowErrors = (rows: ImportRow[]): Record<string, string[]> =>
  Object.fromEntries(rows.map(({ file, line, messages }) => [`${file}.csv:${line}`, messages]));
