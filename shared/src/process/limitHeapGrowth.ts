import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { collectGarbage } from './collectGarbage.ts';
import { setHeapGrowth } from './tuneGarbageCollection.ts';

// Collections of the old generation become more frequent, which only rare, long work pays for.
const oldGenerationGrowthPercent = 20;
// A quarter of V8's maximum, and at most a half with the step that it takes. With much less, the objects of a batch would
// outlive two collections and fill the old generation.
const youngGenerationBytes = 32 * 2 ** 20;
const checkEveryMs = 10;
// The events of the work follow it.
const eventsMs = 60_000;

let holders = 0;
let isLimited = false;
let timer: NodeJS.Timeout | undefined;

/**
 * Limits the memory that V8 takes beyond what lives in the heap, until the result has been disposed of and `lingerMs`
 * milliseconds have passed, a minute by default: for minutes of work in batches, whose garbage would otherwise grow to several
 * times a batch (decision 22). Holders share the limits. Meanwhile the whole process collects garbage more often, and once
 * completely when the limits begin, which takes some tens of milliseconds.
 */
export function limitHeapGrowth(lingerMs = eventsMs): Disposable {
  holders += 1;
  if (holders === 1) limit();
  return {
    [Symbol.dispose]() {
      holders -= 1;
      if (holders > 0) return;
      clearInterval(timer);
      timer = setTimeout(release, lingerMs).unref();
    },
  };
}

// V8 reads both flags at each use. It computes the limit of the old generation at the end of a complete collection.
function limit(): void {
  clearTimeout(timer);
  if (!isLimited) {
    isLimited = true;
    setFlagsFromString(`--heap-growing-percent=${oldGenerationGrowthPercent}`);
    collectGarbage();
  }
  timer = setInterval(() => {
    if (youngGeneration() < youngGenerationBytes) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(timer);
  }, checkEveryMs).unref();
}

function release(): void {
  isLimited = false;
  setHeapGrowth();
}

const youngGeneration = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
