import { type RefObject, useEffect, useState } from 'react';

/**
 * Decoding a scanned page occupies the only worker for a third of a second. A grader who moves on immediately must
 * not wait for pages of the previous sheet that never appeared on the screen.
 */
const stay = 300;

export type Nearness = 'shown' | 'near' | 'far';

/** Returns whether a page is on the screen, or has been less than a screen away for at least `stay` ms. */
export function useNearness(
  page: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  atFirst: Nearness,
): Nearness {
  const [nearness, setNearness] = useState(atFirst);

  useEffect(() => {
    const element = page.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout>;
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (!entry?.isIntersecting) return setNearness('far');
        if (isOnScreen(element, scroller.current)) return setNearness('shown');
        timer = setTimeout(() => setNearness('near'), stay);
      },
      { root: scroller.current, rootMargin: '100% 0px' },
    );
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [page, scroller]);

  return nearness;
}

function isOnScreen(element: HTMLElement, scroller: HTMLElement | null): boolean {
  if (!scroller) return true;
  const [page, screen] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  return page.top < screen.bottom && page.bottom > screen.top;
}
