import type { FileName } from '../oneroster/archive.ts';
import type { ParsedRow } from '../oneroster/parseRow.ts';

type ImportState = 'planning' | 'planned' | 'refused' | 'committing' | 'releasing' | 'committed' | 'done';

type Action = 'create' | 'update' | 'delete' | 'unchanged' | 'ignored' | 'error';

export interface Import {
  id: string;
  state: ImportState;
  /** The course of a roster; null for a OneRoster archive. */
  courseId: number | null;
  /** Whether the enrollments that it creates count as paid. */
  isPaid: boolean;
  createdAt: Date;
  expiresAt: Date;
  committedAt: Date | null;
  /** Rows that the current step has read, planned or written. */
  doneRows: number;
  totalRows: number;
  /** Files in the archive that the import does not use. */
  ignored: string[];
}

/** The course of a roster, and the teacher who uploaded it. */
export interface RosterOwner {
  courseId: number;
  userId: number;
}

/** A parsed row of the archive before it is planned. */
export interface NewRow extends ParsedRow {
  position: number;
  file: FileName;
  line: number;
}

/** A row of the archive with its planned changes or its errors. */
export interface ImportRow {
  position: number;
  file: FileName;
  line: number;
  sourcedId: string;
  action: Action;
  /** Values before and after the change, by field. */
  changes: Record<string, [unknown, unknown]>;
  messages: string[];
}

/** The number of rows of a file with an action. */
export interface ImportCount {
  file: FileName;
  action: Action;
  count: number;
}

/** A record has changed since the import was planned. */
export class StalePlan extends Error {}
