/** A page in the background makes no frames: there, nothing is worth waiting for. */
const most = 100;

/** Resolves when the next frame has been painted. Work that can wait must not delay that frame. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, most);
    // A timer that is set while a frame is made ends after it.
    requestAnimationFrame(() => setTimeout(resolve));
  });
