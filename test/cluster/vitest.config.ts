import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { FileOrder } from './fileOrder.ts';

// The table of the changes and faults under load.
process.env.FAULT_TABLE = 'cluster-table';

// Run by test/cluster/run: these tests need a cluster that the images are loaded into. Three files at a time, unless
// they replace or kill parts that others use (deployment/turns.ts).
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    globalSetup: ['deployment/deployCluster.ts', '../globalSetup/faultTable.ts'],
    include: ['*.test.ts'],
    maxWorkers: 3,
    sequence: { sequencer: FileOrder },
    // Generous: they end a test that hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
