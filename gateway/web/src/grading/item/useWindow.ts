import { type RefObject, useLayoutEffect, useState } from 'react';
import { visibleRows } from './visibleRows.ts';

/** The rows of `table` that are in the window, which scrolls. Follows scrolling, the window's size and the text's size. */
export function useWindow(table: RefObject<HTMLElement | null>, rowRem: number, count: number) {
  const [view, setView] = useState({ start: 0, end: Math.min(count, 30), rowHeight: rowRem * 16 });

  useLayoutEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      if (!table.current) return;
      const rowHeight = rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const top = -table.current.getBoundingClientRect().top;
      const { start, end } = visibleRows({ top, height: window.innerHeight }, rowHeight, count);
      setView((before) =>
        before.start === start && before.end === end && before.rowHeight === rowHeight
          ? before
          : { start, end, rowHeight },
      );
    };
    const later = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', later);
      window.removeEventListener('resize', later);
    };
  }, [table, rowRem, count]);

  return view;
}
