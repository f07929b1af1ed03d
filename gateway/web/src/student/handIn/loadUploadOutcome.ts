/** Loaded ahead, but after the page: once an upload has started, there may be no connection. */
export const loadUploadOutcome = () => import('./UploadOutcome.tsx');
