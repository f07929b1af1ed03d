import { policy } from './readConfig.ts';

/** The policy of every service that has sensitive requests. */
export const requiresReauthentication = policy('REAUTHENTICATION', {
  default: 'off',
  about:
    'Whether sensitive requests need a session that re-authenticated within ten minutes: making administrators, changing email addresses or mobile numbers, exporting courses',
});
