/** Returns the rows of a long table to render: the visible ones and some around them. `end` is exclusive. */
export function visibleRows(
  { top, height }: { top: number; height: number },
  rowHeight: number,
  count: number,
  around = 8,
): { start: number; end: number } {
  const first = Math.floor(top / rowHeight) - around;
  const last = Math.ceil((top + height) / rowHeight) + around;
  const start = Math.min(Math.max(0, first), count);
  return { start, end: Math.max(start, Math.min(count, last)) };
}
