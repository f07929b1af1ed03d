import { type RefObject, useEffect } from 'react';

/** Moves the focus to the element that has replaced the one that had it. `isNew`: it was not there before. */
export function useLostFocus(element: RefObject<HTMLElement | null>, isNew = true): void {
  useEffect(() => {
    const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
    if (isNew && !hasFocus) element.current?.focus({ preventScroll: true });
  }, [element, isNew]);
}
