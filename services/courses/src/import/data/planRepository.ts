import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize } from 'sequelize';
import type { FileName } from '../oneroster/archive.ts';
import type { ReadRow } from '../oneroster/parseRow.ts';
import {
  connectEnrollments,
  decideUsers,
  insertKnown,
  insertRows,
  markTwins,
  planClasses,
  planCourses,
  planEnrollments,
  undecidedUsers,
  unknownUsers,
} from './planQueries.ts';

export interface NewRow extends ReadRow {
  position: number;
  file: FileName;
  line: number;
}

/** An account as courses learns of it before its event. */
export interface Account {
  userId: number;
  firstName: string;
  lastName: string;
  email: string;
  revision: number;
}

export interface UserDecision {
  line: number;
  action: string;
  changes: Record<string, [unknown, unknown]>;
  messages: string[];
  account: Account | null;
}

interface UndecidedUser {
  position: number;
  line: number;
  sourcedId: string;
  isDeleted: boolean;
  wanted: ReadRow['wanted'];
}

// So that no statement takes longer than the connection's limit.
const rowsAtOnce = 5_000;

/** Works out, in the tables of this service, what an archive would change. Nothing else is written. */
export class PlanRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  async insertRows(importId: string, rows: NewRow[]): Promise<void> {
    await this.#run(insertRows, [importId, JSON.stringify(rows)]);
  }

  /** Tells the planner what has just come: what it believes of a table that has grown a thousandfold costs minutes. */
  async analyse(): Promise<void> {
    await this.#run('ANALYZE (SKIP_LOCKED) import_rows', []);
  }

  /** Refuses rows that speak of the same thing; each names all of their lines. */
  async markTwins(importId: string): Promise<void> {
    for (const query of markTwins) await this.#run(query, [importId]);
  }

  async planCourses(importId: string, rows: number): Promise<void> {
    await this.#inRanges(planCourses, importId, rows);
  }

  async planClasses(importId: string, rows: number): Promise<void> {
    await this.#inRanges(planClasses, importId, rows);
  }

  /** Those of these rows of users.csv that are neither bad nor ignored. */
  undecidedUsers(importId: string, first: number, last: number): Promise<UndecidedUser[]> {
    return selectRows<UndecidedUser>(this.#sequelize, undecidedUsers, [importId, first, last]);
  }

  async decideUsers(importId: string, decisions: (UserDecision & { position: number })[]): Promise<void> {
    const positions = decisions.map(({ position }) => position);
    const range = [Math.min(...positions), Math.max(...positions)];
    if (decisions.length > 0) await this.#run(decideUsers, [importId, JSON.stringify(decisions), ...range]);
  }

  /** Accounts that enrollments refer to and users.csv does not have: the next ones by name. */
  async unknownUsers(importId: string, after: string, most: number): Promise<string[]> {
    const rows = await selectRows<{ name: string }>(this.#sequelize, unknownUsers, [importId, after, most]);
    return rows.map(({ name }) => name);
  }

  async insertKnown(
    importId: string,
    known: { sourcedId: string; account: Account }[],
    afterPosition: number,
  ): Promise<void> {
    await this.#run(insertKnown, [importId, JSON.stringify(known), afterPosition]);
  }

  async planEnrollments(importId: string, rows: number, isPaid: boolean): Promise<void> {
    await this.#inRanges(connectEnrollments, importId, rows);
    await this.#inRanges(planEnrollments, importId, rows, isPaid);
  }

  async #inRanges(query: string, importId: string, rows: number, ...more: unknown[]): Promise<void> {
    for (let start = 0; start < rows; start += rowsAtOnce)
      await this.#run(query, [importId, start, start + rowsAtOnce - 1, ...more]);
  }

  async #run(query: string, bind: unknown[]): Promise<void> {
    await this.#sequelize.query(query, { bind });
  }
}
