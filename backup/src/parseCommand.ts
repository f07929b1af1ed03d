import { basename, dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Command {
  action: 'backup' | 'verify' | 'restore' | 'check-restore' | 'prepare-recovered' | 'metrics';
  /** Undefined for an action that needs no backup. */
  place?: Place;
  /** How many backups to keep; undefined for all. */
  keep?: number | undefined;
}

interface Place {
  /** The directory of the backups; undefined for the bucket. */
  directory?: string;
  /** Undefined for a new backup with a name from the time. */
  name?: string | undefined;
}

const options = {
  below: { type: 'string' },
  keep: { type: 'string' },
  'to-bucket': { type: 'boolean' },
  'from-bucket': { type: 'string' },
} as const;

/** Returns undefined for a wrong use. */
export function parseCommand(args: string[]): Command | undefined {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { below, keep, 'to-bucket': toBucket, 'from-bucket': fromBucket } = values;
    const [action = '', path, ...rest] = positionals;
    if (rest.length > 0) return undefined;
    const given = Object.keys(values).filter((each) => each !== 'keep').length + positionals.length;
    if (action === 'prepare-recovered' || action === 'metrics')
      return given === 1 && keep === undefined ? { action } : undefined;
    if (given !== 2 || !isAction(action)) return undefined;
    const isNew = toBucket === true || below !== undefined;
    if (path === '' || isNew !== (action === 'backup' && path === undefined)) return undefined;
    if (keep !== undefined && !(isNew && /^[1-9]\d*$/.test(keep))) return undefined;
    if (isNew)
      return {
        action,
        place: below === undefined ? {} : { directory: resolve(below) },
        keep: keep === undefined ? undefined : Number(keep),
      };
    if (path === undefined) return { action, place: { name: fromBucket } };
    if (action === 'check-restore') return undefined;
    return { action, place: { directory: dirname(resolve(path)), name: basename(resolve(path)) } };
  } catch {
    return undefined;
  }
}

const isAction = (action: string): action is 'backup' | 'verify' | 'restore' | 'check-restore' =>
  ['backup', 'verify', 'restore', 'check-restore'].includes(action);
