import { setFlagsFromString } from 'node:v8';

const startMs = 30_000;
// Older ones would report an unknown flag.
const hasMemoryReducerFlag = Number.parseInt(process.versions.node, 10) >= 24;

/**
 * Sets how V8 allocates memory in a server that is idle at times and then gets a thousand requests at once (decision 55). Call
 * it before anything else: decisions that V8 has made already stay. V8 reads the flags at each use, so that they may be set
 * after its start; NODE_OPTIONS does not accept them.
 */
export function tuneGarbageCollection(): void {
  // When many objects survive at the start of a burst, V8 would allocate their kind among the old objects from then on. Each
  // of them then keeps the whole graph of its request alive until the next full collection, for as long as the process runs.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // The young generation shrinks to 1 MB while a process is idle. It regains its full size in one step instead of four.
  setFlagsFromString('--semi-space-growth-factor=16');
  // The old generation is collected when it has doubled. After an idle period V8 would allow only about 3 MB more, and collect the
  // whole heap about once a second in a burst.
  setFlagsFromString('--heap-growing-percent=100');
  // After eight seconds with little to do V8 also drops what its compilers know of objects that do not exist at that moment, and
  // with it their code. That is right once, for what only the start needed.
  if (hasMemoryReducerFlag)
    setTimeout(() => setFlagsFromString('--no-memory-reducer-favors-memory'), startMs).unref();
}
