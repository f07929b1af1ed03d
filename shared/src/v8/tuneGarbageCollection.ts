import { setFlagsFromString } from 'node:v8';

const startMs = 30_000;
// Older versions of Node.js would report an unknown flag.
const hasMemoryReducerFlag = Number.parseInt(process.versions.node, 10) >= 24;

/**
 * Tunes V8's memory for a server that is idle at times and then gets a thousand requests at once (decision 55). Must be called
 * before anything else, because V8 does not revise allocation decisions. V8 reads the flags at each use, so they can be set after
 * its start; NODE_OPTIONS does not accept them.
 */
export function tuneGarbageCollection(): void {
  // If many objects survive at the start of a burst, V8 would allocate objects of their kind in the old generation from then on, for
  // as long as the process runs. Each of them would keep its whole request alive until the next full collection.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // The young generation shrinks to 1 MB while a process is idle. It regains its full size in one step instead of four.
  setFlagsFromString('--semi-space-growth-factor=16');
  // The old generation is collected when it has doubled. After an idle period V8 would allow only about 3 MB more, and collect the
  // whole heap about once a second in a burst.
  setFlagsFromString('--heap-growing-percent=100');
  // After eight seconds with little to do, V8 also drops type feedback and compiled code for objects that do not exist at that moment.
  // That is useful only once, for what the start needed.
  if (hasMemoryReducerFlag)
    setTimeout(() => setFlagsFromString('--no-memory-reducer-favors-memory'), startMs).unref();
}
