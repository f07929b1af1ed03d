import { startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { type BenchDatabase, startBenchDatabase } from '../database/benchDatabase.ts';
import { type Call, createCall } from '../load/graderCalls.ts';
import { startBenchProcess } from './benchProcess.ts';

/**
 * Runs `work` with a quiz process on a database with these rows. `work` gets a function that sends
 * requests as an administrator.
 */
export async function withBenchQuiz<Result>(
  fill: string,
  work: (call: Call, database: BenchDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await startBenchDatabase();
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const quiz = await startBenchProcess('quiz', { database, peers, tokens });
  await database.fill('quiz', fill);
  const result = await work(createCall(quiz.url, tokens.sign(1, 'admin')), database);
  await quiz.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();
  return result;
}
