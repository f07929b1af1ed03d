import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Point } from '../../shared/sheet/pageCoordinates.ts';
import { middle, scrollAfter, spread } from './touchGestures.ts';
import { pen } from './useMarking.ts';
import { within } from './zoom.ts';

type Fingers = readonly [Point, Point];

interface Pinch {
  began: Fingers;
  scale: number;
  scroll: Point;
  now: Fingers;
}

/**
 * Zooms the pages with two fingers, where the browser would zoom everything. The point between the fingers stays in
 * place. One finger scrolls, even on a page that a pen draws on. Uses touch events because pointer events end as soon
 * as the browser scrolls.
 */
export function useSheetTouch(
  scroller: RefObject<HTMLElement | null>,
  scale: number,
  onScale: (scale: number) => void,
): void {
  const latest = useRef({ scale, onScale });
  latest.current = { scale, onScale };
  const pinch = useRef<Pinch>(undefined);

  const follow = useRef(() => {
    const [element, present] = [scroller.current, pinch.current];
    if (!element || !present) return;
    const { began, now, scroll } = present;
    const ratio = latest.current.scale / present.scale;
    const [left, top] = scrollAfter(scroll, middle(began), middle(now), ratio);
    element.scrollTo(left, top);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the pages have changed their size
  useLayoutEffect(() => follow.current(), [scale]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let last: Point | undefined;
    const pointIn = ({ clientX, clientY }: Touch): Point => {
      const { left, top } = element.getBoundingClientRect();
      return [clientX - left, clientY - top];
    };
    const fingersOf = ({ touches: [one, other] }: TouchEvent): Fingers | undefined =>
      one && other && [pointIn(one), pointIn(other)];

    const onStart = (event: TouchEvent) => {
      const [one] = event.touches;
      last = one && event.touches.length === 1 && scrollsByHand(event) ? pointIn(one) : undefined;
      const began = fingersOf(event);
      pinch.current = undefined;
      if (!began || event.touches.length !== 2) return;
      event.preventDefault();
      const scroll: Point = [element.scrollLeft, element.scrollTop];
      pinch.current = { began, now: began, scale: latest.current.scale, scroll };
    };
    const onMove = (event: TouchEvent) => {
      const [one] = event.touches;
      const now = fingersOf(event);
      if (pinch.current && now) {
        if (event.cancelable) event.preventDefault();
        pinch.current = { ...pinch.current, now };
        latest.current.onScale(within(pinch.current.scale * spread(pinch.current.began, now)));
        follow.current();
      } else if (last && one) {
        const at = pointIn(one);
        element.scrollBy(last[0] - at[0], last[1] - at[1]);
        last = at;
      }
    };
    const onEnd = () => {
      pinch.current = undefined;
      last = undefined;
    };
    element.addEventListener('touchstart', onStart, { passive: false });
    element.addEventListener('touchmove', onMove, { passive: false });
    element.addEventListener('touchend', onEnd);
    element.addEventListener('touchcancel', onEnd);
    return () => {
      element.removeEventListener('touchstart', onStart);
      element.removeEventListener('touchmove', onMove);
      element.removeEventListener('touchend', onEnd);
      element.removeEventListener('touchcancel', onEnd);
    };
  }, [scroller]);
}

/** Where a pen draws, the browser does not scroll. */
const scrollsByHand = ({ target }: TouchEvent): boolean =>
  pen.isUsed && target instanceof Element && target.closest('.mark-layer[data-tool]') !== null;
