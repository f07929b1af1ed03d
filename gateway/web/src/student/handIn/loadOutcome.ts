/** Loaded before it is needed, but after the page: when an upload has begun there may be no connection. */
export const loadOutcome = () => import('./UploadOutcome.tsx');
