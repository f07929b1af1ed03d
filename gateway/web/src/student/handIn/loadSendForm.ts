/** Loaded ahead, but after the page, as the outcomes of uploads are. */
export const loadSendForm = () => import('./sendForm.ts');
