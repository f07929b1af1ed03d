/*
 * The code of uploads that the first view of a page does not need. Loaded ahead, but after the page: once an upload has started,
 * there may be no connection.
 */

export const loadUploadOutcome = () => import('./UploadOutcome.tsx');
export const loadSendForm = () => import('./sendForm.ts');
