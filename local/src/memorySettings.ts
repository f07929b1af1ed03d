/**
 * How glibc keeps memory, for every Node process of ours, here and in the images. Left to itself it learns from the
 * first large buffer that it frees to keep such ones, and an arena for each core holds what another could use: after
 * some large files a process keeps a hundred megabytes that it does not need (bench/uploads.ts).
 */
export const memorySettings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
