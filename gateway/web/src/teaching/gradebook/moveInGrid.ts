import type { KeyboardEvent } from 'react';

const steps: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Moves the focus from a link in a cell to the next one in the direction of an arrow key, skipping cells without a link. */
export function moveInGrid(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const cell = (event.target as Element).closest<HTMLTableCellElement>('td');
  const rows = cell?.closest('tbody')?.rows;
  if (!step || !cell || !rows) return;
  const isReversed = getComputedStyle(cell).direction === 'rtl';
  const [down, across] = [step[0], isReversed ? -step[1] : step[1]];
  let row = (cell.parentElement as HTMLTableRowElement).sectionRowIndex + down;
  let column = cell.cellIndex + across;
  for (let next = rows[row]?.cells[column]; next; next = rows[row]?.cells[column]) {
    const link = next.querySelector('a');
    if (link) {
      event.preventDefault();
      link.focus();
      return;
    }
    row += down;
    column += across;
  }
}
