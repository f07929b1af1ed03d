// Entry point of the thread of exportThread.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../process/lowerThreadPriority.ts';
import type { FromExportThread, ToExportThread } from './exportThread.ts';
import { unpackTrace } from './packedTrace.ts';
import { spansOf } from './requestSpans.ts';
import { describeProcess, type ExportSettings, openSpanExport } from './spanExport.ts';

const settings = workerData as ExportSettings;
const answer = (message: FromExportThread) => parentPort?.postMessage(message);
const batches = openSpanExport(settings, (problem) => answer({ problem }));
const resource = describeProcess(settings);
// While all processors are busy, requests come first (decision 59).
await lowerThreadPriority();

parentPort?.on('message', async (message: ToExportThread) => {
  if (message === 'end') {
    await batches.shutdown().catch(() => {});
    parentPort?.close();
    return;
  }
  for (const trace of message) for (const span of spansOf(unpackTrace(trace), resource)) batches.onEnd(span);
  answer({ taken: message.length });
});
