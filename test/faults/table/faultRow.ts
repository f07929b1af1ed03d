import { waitFor } from '@gradeway/test/waitFor';
import { expect } from 'vitest';
import { type Count, countStored } from './count.ts';
import type { Ledger } from './ledger.ts';
import { type Load, type LoadOptions, startLoad } from './load.ts';
import { saveRow } from './report.ts';
import type { School } from './school.ts';
import { isSettled } from './storedRows.ts';

interface Fault {
  /** The system in which it is injected, as named in the table. */
  on: string;
  name: string;
  /** Injects the fault, and returns when it has ended. */
  make(load: Load): Promise<void>;
  load?: LoadOptions;
  /**
   * The responses that a client may get, with `none` for no response. The default includes the responses given while a
   * service is missing.
   */
  answers?: string[];
  /** Runs after the load, before the count. */
  afterwards?(): Promise<void>;
}

// The responses that a legitimate client may get while a component is unavailable.
const answersDuringFaults = ['200', '201', '503', '504', 'none'];

/**
 * One row of the table: injects a fault under load, waits for the recovery, and compares the responses that clients received
 * with the stored data. Fails when an acknowledged change was lost or duplicated, or any change is incomplete. Returns the
 * responses.
 */
export async function runFault(school: School, fault: Fault): Promise<Ledger> {
  const { on, name, make, afterwards, answers = answersDuringFaults } = fault;
  const load = await startLoad(school, fault.load);
  await load.journeys(8);
  // A load that continued would affect the tests that follow.
  await make(load).catch(async (error: unknown) => {
    await load.stop();
    throw error;
  });
  const healedAt = performance.now();
  const failure = await load.recovery().catch((error: Error) => error);
  const recoverySeconds = failure ? null : (performance.now() - healedAt) / 1000;
  await load.stop();
  await afterwards?.();
  await waitFor(() => isSettled(school.system)).catch(() => {});

  const { ledger } = load;
  const count: Count = await countStored(school.system, ledger);
  const answered = ledger.accepted;
  await saveRow({
    on,
    name,
    requests: ledger.requests,
    answers: ledger.answers,
    answered,
    recoverySeconds,
    ...count,
  });
  expect({ ...count, recovered: failure ?? true }).toEqual({
    found: answered,
    lost: [],
    doubled: [],
    halfDone: [],
    recovered: true,
  });
  const unexpected = Object.keys(ledger.answers).filter((status) => !answers.includes(status));
  expect(unexpected.flatMap((status) => [status, ...(ledger.failures[status] ?? [])])).toEqual([]);
  return ledger;
}
