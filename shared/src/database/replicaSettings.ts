import { urls } from '../config/settingKinds.ts';

/** Settings of a service that can read its lists from a replica. */
export const replicaSettings = {
  databaseReadUrl: urls.optional('DATABASE_READ_URL', {
    about:
      'A streaming replica of `DATABASE_URL`, from which long lists are read whenever it has every change that was acknowledged before; up to `DATABASE_POOL` connections. Without it, or when it is unreachable or behind, lists are read from `DATABASE_URL`',
  }),
};
