import type { FileName } from '../oneroster/archive.ts';

type ImportState = 'planning' | 'planned' | 'refused' | 'committing' | 'releasing' | 'committed' | 'done';

type Action = 'create' | 'update' | 'delete' | 'unchanged' | 'ignored' | 'error';

export interface Import {
  id: string;
  state: ImportState;
  /** Whether those whom it enrolls have paid. */
  isPaid: boolean;
  createdAt: Date;
  expiresAt: Date;
  committedAt: Date | null;
  /** How many rows have been read, compared or written, of how many. */
  doneRows: number;
  totalRows: number;
  /** Files of the archive that mean nothing here. */
  ignored: string[];
}

/** What an import does, or why it cannot: one row of the archive. */
export interface ImportRow {
  position: number;
  file: FileName;
  line: number;
  sourcedId: string;
  action: Action;
  /** By field, before and after. */
  changes: Record<string, [unknown, unknown]>;
  messages: string[];
}

/** How many rows of a file come to what. */
export interface ImportCount {
  file: FileName;
  action: Action;
  count: number;
}
