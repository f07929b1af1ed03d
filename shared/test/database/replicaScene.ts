import { type ReplicatedDatabase, startReplicatedDatabase } from '@gradeway/test/replicatedDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize } from 'sequelize';
import { expect } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { type ListReads, openListReads } from '../../src/database/listReads.ts';
import { createLogger } from '../../src/process/logger.ts';
import { scrapeSelf } from '../metrics/scrapeSelf.ts';

// Long, so that a busy machine does not change the outcome.
const patient = { waitMs: 50, limitMs: 60_000, pauseMs: 50 };
// A list waits for the replica, however far it is behind.
export const neverBehind = { ...patient, waitMs: 60_000 };

const portOf = (url: string) => Number(new URL(url).port);

/** The number of list reads with an outcome, in all scenes of this process. */
export const countOf = async (outcome: string) =>
  (await scrapeSelf()).value('gradeway_replica_reads_total', { outcome }) ?? 0;

/** Opens a scene: a primary with a table `notes`, a replica of it, and lists that are read from the replica. */
export async function openReplicaScene(): Promise<ReplicaScene> {
  const servers = await startReplicatedDatabase();
  const primary = openDatabase({ url: servers.primary.url('quiz'), name: 'test', pool: 5 });
  await primary.query('CREATE TABLE notes (id integer)');
  return new ReplicaScene(servers, primary);
}

export class ReplicaScene {
  readonly servers: ReplicatedDatabase;
  readonly primary: Sequelize;
  readonly lists: ListReads;
  readonly #cleanups: (() => unknown)[] = [];
  #lastId = 0;

  constructor(servers: ReplicatedDatabase, primary: Sequelize) {
    this.servers = servers;
    this.primary = primary;
    this.lists = this.open(servers.replicaUrl('quiz'));
  }

  get lastId(): number {
    return this.#lastId;
  }

  open(databaseReadUrl: string | undefined, limits = patient): ListReads {
    const context = {
      config: { databaseReadUrl, databasePool: 5 },
      log: createLogger('test', 'silent'),
      onStop: (_name: string, stop: () => unknown) => this.onClose(stop),
    };
    return openListReads(context, 'test', this.primary, limits);
  }

  onClose(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup);
  }

  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.reverse()) await cleanup();
    await this.primary.close();
    await this.servers.close();
  }

  async write(): Promise<number> {
    this.#lastId += 1;
    const id = this.#lastId;
    await this.primary.query('INSERT INTO notes VALUES ($1)', { bind: [id] });
    return id;
  }

  /** The notes, and the port of the server that returned them. */
  async read(from = this.lists): Promise<{ ids: number[]; port: number }> {
    type Row = { ids: number[] | null; port: number };
    const text = "SELECT array_agg(id) AS ids, current_setting('port')::integer AS port FROM notes";
    const [row] = await from.read((select) => select<Row>({ name: 'notes', sql: text }));
    return { ids: row?.ids ?? [], port: row?.port ?? 0 };
  }

  async expectPrimary(from = this.lists): Promise<number[]> {
    const { ids, port } = await this.read(from);
    expect(port).toBe(portOf(this.servers.primary.url('quiz')));
    return ids;
  }

  async writeAndReadFromPrimary(from = this.lists): Promise<void> {
    const id = await this.write();
    expect(await this.expectPrimary(from)).toContain(id);
  }

  async isReplica(from = this.lists): Promise<boolean> {
    return (await this.read(from)).port === portOf(this.servers.replicaUrl('quiz'));
  }

  /** Waits until lists are read from the replica. */
  async isUsed(from = this.lists): Promise<void> {
    await waitFor(() => this.isReplica(from));
  }
}
