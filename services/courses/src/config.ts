import { serviceSettings } from '@gradeway/shared/serviceSettings';

/** Every variable that this service reads. Nothing else touches the environment. */
export const settings = { ...serviceSettings };
