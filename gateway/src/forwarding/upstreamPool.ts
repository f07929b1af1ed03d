import { Pool } from 'undici';
import type { Config } from '../config.ts';
import { slotsPerKind } from '../limits/serviceSlots.ts';
import type { Upstream } from '../routing/routeTable.ts';

// Shorter than SHUTDOWN_DELAY of the services, during which a stopping replica responds with `Connection: close`. The replica is
// then left with no idle connection that it could close just as a request is sent on it.
export const idleConnectionMs = 2_000;

/** Connections to a service for everything but uploads and downloads (forwardStream.ts). */
export interface UpstreamPool {
  url: string;
  /** Path in the service's URL, which precedes the path of each request. */
  prefix: string;
  pool: Pool;
}

export type UpstreamPools = Record<Upstream, UpstreamPool>;

type Settings = Pick<Config, 'authUrl' | 'coursesUrl' | 'homeworkUrl' | 'quizUrl' | 'idleTimeout'>;

/** Opens a pool for each service. */
export function openUpstreamPools(config: Settings): UpstreamPools {
  const open = (url: string): UpstreamPool => {
    const { origin, pathname } = new URL(url);
    const pool = new Pool(origin, {
      connections: slotsPerKind,
      keepAliveTimeout: idleConnectionMs,
      keepAliveMaxTimeout: idleConnectionMs,
      connectTimeout: config.idleTimeout,
      allowH2: false,
      // Callers limit these times together with the wait for a connection.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { url, prefix: pathname.replace(/\/$/, ''), pool };
  };
  return {
    auth: open(config.authUrl),
    courses: open(config.coursesUrl),
    homework: open(config.homeworkUrl),
    quiz: open(config.quizUrl),
  };
}

export function closeUpstreamPools(pools: UpstreamPools): void {
  for (const { pool } of Object.values(pools)) void pool.destroy();
}
