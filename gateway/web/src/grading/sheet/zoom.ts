/** Fit to width, fit the whole page, or a scale in pixels per point. */
export type Zoom = 'fit' | 'page' | number;

const step = 1.25;

export const within = (scale: number): number => Math.min(Math.max(scale, 0.2), 5);

/** Returns the zoom one step from the current scale. */
export function zoomed(scale: number, by: 'in' | 'out' | 'fit' | 'page'): Zoom {
  if (by === 'fit' || by === 'page') return by;
  return within(by === 'in' ? scale * step : scale / step);
}

interface Size {
  width: number;
  height: number;
}

/** Returns the scale at which a page is displayed in the available space. */
export function scaleOf(zoom: Zoom, page: Size, paneSize: Size): number {
  if (typeof zoom === 'number') return zoom;
  const wide = Math.min(Math.max(paneSize.width / page.width, 0.1), 3);
  return zoom === 'fit' ? wide : Math.min(wide, Math.max(paneSize.height / page.height, 0.1));
}
