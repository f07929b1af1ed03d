import { policy } from './settingKinds.ts';

/** The same policy for every service that has sensitive requests. */
export const requiresReauthentication = policy('REAUTHENTICATION', {
  default: 'off',
  about:
    'Whether sensitive requests (`x-reauthentication` in the OpenAPI document) require a session that re-authenticated within the last ten minutes',
});
