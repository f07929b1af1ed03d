/**
 * Environment variables of glibc's malloc for every Node.js process, local and in the images. By default, glibc raises
 * its mmap threshold when a large buffer is freed, and keeps an arena per core that other arenas cannot use. After some
 * large files, a process would retain a hundred megabytes that it does not need (bench/benchmarks/uploadMemory.ts).
 */
export const mallocSettings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
