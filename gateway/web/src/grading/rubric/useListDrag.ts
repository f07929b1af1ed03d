import { useState } from 'react';

/** Lets the entries of a list be dragged to the positions of others. Returns the state and handlers of an entry. */
export function useListDrag(move: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number>();
  return (index: number) => ({
    isDragged: dragged === index,
    onDrag: () => setDragged(index),
    onDragOver: () => {
      if (dragged === undefined || dragged === index) return;
      move(dragged, index);
      setDragged(index);
    },
    onDragEnd: () => setDragged(undefined),
  });
}
