import { type RefObject, useEffect, useState } from 'react';

/** The space available to a page, in CSS pixels. */
export interface PaneSize {
  width: number;
  height: number;
}

// The next sheet starts with the previous sheet's space, so that a page is rendered once and does not jump.
let last: PaneSize = { width: 800, height: 800 };

export function usePaneSize(
  scroller: RefObject<HTMLElement | null>,
  onPaneSize: (paneSize: PaneSize) => void,
): PaneSize {
  const [paneSize, setRoom] = useState(last);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      if (width === 0) return;
      if (Math.floor(width) !== last.width || Math.floor(height) !== last.height)
        last = { width: Math.floor(width), height: Math.floor(height) };
      setRoom(last);
      onPaneSize(last);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, onPaneSize]);
  return paneSize;
}
