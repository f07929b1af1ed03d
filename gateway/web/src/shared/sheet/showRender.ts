import type { PendingRender } from './sharedRenders.ts';

/** Puts a page into `element` once it is rendered. Returns the function that cancels this. */
export function showRender(
  render: PendingRender,
  element: Element,
  onEnd: (isRendered: boolean) => void,
): () => void {
  let isCurrent = true;
  render.canvas.then(
    (canvas) => {
      if (!isCurrent) return;
      element.replaceChildren(canvas);
      onEnd(true);
    },
    () => isCurrent && onEnd(false),
  );
  return () => {
    isCurrent = false;
    render.cancel();
  };
}
