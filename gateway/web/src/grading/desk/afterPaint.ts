/** A background page paints no frames, so there is nothing to wait for. */
const most = 100;

/** Resolves after the next frame has been painted, for work that must not delay that frame. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, most);
    // A timer set in a frame callback fires after the frame has been painted.
    requestAnimationFrame(() => setTimeout(resolve));
  });
