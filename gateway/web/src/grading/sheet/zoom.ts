/** As wide as its place, or pixels for a point. */
export type Zoom = 'fit' | number;

const step = 1.25;

/** The zoom after a step. `fit` is the scale that fills the place now. */
export function zoomed(zoom: Zoom, fit: number, by: 'in' | 'out' | 'fit'): Zoom {
  if (by === 'fit') return 'fit';
  const scale = zoom === 'fit' ? fit : zoom;
  return Math.min(Math.max(by === 'in' ? scale * step : scale / step, 0.2), 5);
}
