import { sendZip } from '@gradeway/shared/zip/sendZip';
import type { Request, Response } from 'express';
import type { Sequelize } from 'sequelize';
import { type PersonalDataClient, peers } from '../clients/personalDataClient.ts';
import { personalRecords } from '../data/personalRecords.ts';
import { personArchive } from '../domain/personArchive.ts';
import type { JsonRecord } from '../domain/personJson.ts';
import { PersonParts } from '../domain/personParts.ts';

interface Dependencies {
  sequelize: Sequelize;
  personalData: PersonalDataClient;
}

/**
 * Sends everything that the system stores about a person as a ZIP archive. The response starts only after every service
 * has responded, so that an unreachable one still results in 503. A later failure breaks the connection. If the client
 * disconnects, all streams are cancelled.
 */
export async function sendPersonArchive(
  req: Request,
  res: Response,
  { sequelize, personalData }: Dependencies,
  userId: number,
): Promise<void> {
  const setHeaders = () =>
    res.type('zip').set({
      'Content-Disposition': `attachment; filename="user-${userId}-personal-data.zip"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
  if (req.method === 'HEAD') {
    setHeaders().end();
    return;
  }
  const cancellation = new AbortController();
  const { signal } = cancellation;
  res.once('close', () => cancellation.abort());
  try {
    const sources = await Promise.all(
      peers.map(async (service) => ({
        service,
        parts: await PersonParts.open(personalData.exportPerson(service, userId, signal)),
      })),
    );
    setHeaders();
    const own = { service: 'auth', records: ownRecords(sequelize, userId) };
    await sendZip(res, personArchive(own, sources), signal);
  } catch (error) {
    // The client disconnected before the archive began.
    if ((error as Error).name !== 'AbortError') throw error;
  } finally {
    cancellation.abort();
  }
}

async function* ownRecords(sequelize: Sequelize, userId: number): AsyncGenerator<JsonRecord> {
  for await (const { kind, record } of personalRecords(sequelize, userId))
    yield { kind, json: JSON.stringify(record) };
}
