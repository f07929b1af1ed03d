/** Loaded ahead, but after the page, like the outcomes of uploads. */
export const loadSendForm = () => import('./sendForm.ts');
