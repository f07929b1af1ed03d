// Longer than the processes need to start together, on a busy machine as well.
const startingMs = 30_000;

/**
 * The level at which to log that another process does not respond. Processes start in any order, so until one has
 * responded for the first time, this is expected while this process is starting; readiness shows it.
 */
export const outageLevel = (hasResponded: boolean): 'debug' | 'warn' =>
  hasResponded || performance.now() > startingMs ? 'warn' : 'debug';
