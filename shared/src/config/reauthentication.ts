import { policy } from './settingKinds.ts';

/** The same policy for every service that has sensitive requests. */
export const requiresReauthentication = policy('REAUTHENTICATION', {
  default: 'off',
  about:
    'Whether sensitive requests, those with `x-reauthentication` in the OpenAPI document, need a session that re-authenticated within ten minutes',
});
