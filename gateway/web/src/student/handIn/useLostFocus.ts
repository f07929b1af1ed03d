import { type RefObject, useEffect } from 'react';

/** Moves the focus to an element that replaced the focused one. `isNew` is false if the element was there before. */
export function useLostFocus(element: RefObject<HTMLElement | null>, isNew = true): void {
  useEffect(() => {
    const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
    if (isNew && !hasFocus) element.current?.focus({ preventScroll: true });
  }, [element, isNew]);
}
