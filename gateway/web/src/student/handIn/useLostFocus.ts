import { type RefObject, useEffect } from 'react';

/** Takes the focus to what has appeared instead of the element that had it and has gone. `isNew`: it was not there before. */
export function useLostFocus(element: RefObject<HTMLElement | null>, isNew = true): void {
  useEffect(() => {
    const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
    if (isNew && !hasFocus) element.current?.focus({ preventScroll: true });
  }, [element, isNew]);
}
