import { serviceSettings } from '@gradeway/shared/serviceSettings';
import { webhookSettings } from './webhooks/settings.ts';

/** Every variable that this service reads. Nothing else touches the environment. */
export const settings = { ...serviceSettings, ...webhookSettings };
