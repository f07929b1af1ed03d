import { urls } from '../config/settingKinds.ts';

/** Settings of a service that can read its lists from a replica. */
export const replicaSettings = {
  databaseReadUrl: urls.optional('DATABASE_READ_URL', {
    about:
      'Streaming replica of `DATABASE_URL` from which long lists are read while it contains every acknowledged change; up to `DATABASE_POOL` connections. If it is unset, unreachable or behind, lists are read from `DATABASE_URL`',
  }),
};
