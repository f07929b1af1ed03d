import { type RefObject, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { visibleRows } from './visibleRows.ts';

/**
 * Returns the rows of `table` that are visible in the scrolling window, or all rows when printing. Updates when the
 * user scrolls or when the window or text size changes.
 */
export function useWindow(table: RefObject<HTMLElement | null>, rowRem: number, count: number) {
  const [view, setView] = useState({ start: 0, end: Math.min(count, 30), rowHeight: rowRem * 16 });

  useLayoutEffect(() => {
    let frame = 0;
    const paper = matchMedia('print');
    const measure = () => {
      frame = 0;
      if (!table.current) return;
      const rowHeight = rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const top = -table.current.getBoundingClientRect().top;
      const { start, end } = paper.matches
        ? { start: 0, end: count }
        : visibleRows({ top, height: window.innerHeight }, rowHeight, count);
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
    // The browser lays out the printout right after this event.
    const print = () => flushSync(measure);
    paper.addEventListener('change', print);
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      paper.removeEventListener('change', print);
      window.removeEventListener('scroll', later);
      window.removeEventListener('resize', later);
    };
  }, [table, rowRem, count]);

  return view;
}
