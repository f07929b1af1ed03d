/** A page in the background makes no frames: there, nothing is worth waiting for. */
const most = 100;

/** When the frame that is due has been painted: what nobody waits for must not delay what everybody sees. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, most);
    // A timer that is set while a frame is made ends after it.
    requestAnimationFrame(() => setTimeout(resolve));
  });
