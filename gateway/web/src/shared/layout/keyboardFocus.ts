const typedInto = new Set([
  'text',
  'email',
  'password',
  'search',
  'number',
  'tel',
  'url',
  'date',
  'datetime-local',
]);

/** Whether the focused element handles keys itself, so that they are not shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // A hidden field keeps the focus until the next frame.
  if (!target.checkVisibility()) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return typedInto.has(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target.closest('[role=menu], [role=listbox], [role=dialog], [role=alertdialog]') !== null;
}

/** Whether a dialog or menu is open over the page. */
export const hasOverlay = (): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]') !== null;
