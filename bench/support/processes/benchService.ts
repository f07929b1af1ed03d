import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { startBenchDatabase } from '../database/benchDatabase.ts';
import { type BenchProcess, startBenchProcess } from './benchProcess.ts';

export interface Service extends BenchProcess {
  /** The URL of the owner of the schema. */
  databaseUrl: string;
  pid: number;
  peers: FakePeers;
  tokens: TokenIssuer;
}

/** Starts one service with its own PostgreSQL and fake peers. It logs warnings only. */
export async function startBenchService(name: 'quiz' | 'homework'): Promise<Service> {
  const database = await startBenchDatabase();
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const env = { LOG_LEVEL: 'warn' };
  const service = await startBenchProcess(name, { database, peers, tokens, env });
  return {
    ...service,
    ...{ databaseUrl: database.url(name), peers, tokens },
    async stop() {
      await service.stop();
      await Promise.all([peers.close(), tokens.close()]);
      await database.stop();
    },
  };
}
