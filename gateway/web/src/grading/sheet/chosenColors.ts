import { useSyncExternalStore } from 'react';
import { colorsOf, type MarkColor } from './markColors.ts';
import type { Tool } from './tools.ts';

/** A tool that puts marks on a page. */
export type MarkingTool = Exclude<Tool, 'eraser'>;

// Ink and highlighters have different colours.
const keyOf = (tool: MarkingTool) =>
  tool === 'highlight' ? 'gradeway.highlighter-color' : 'gradeway.ink-color';

const listeners = new Set<() => void>();

/** The colour of new marks: the one that was chosen on this device, or else the usual one. */
export function chosenColor(tool: MarkingTool): MarkColor {
  const colors = colorsOf({ kind: tool });
  const chosen = localStorage.getItem(keyOf(tool));
  const usual = colors[0] as MarkColor;
  return colors.find(({ color }) => color !== null && color === chosen) ?? usual;
}

export function chooseColor(tool: MarkingTool, { color }: MarkColor): void {
  if (color === null) localStorage.removeItem(keyOf(tool));
  else localStorage.setItem(keyOf(tool), color);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useChosenColor = (tool: MarkingTool): MarkColor => {
  // The same object as long as the choice is the same.
  return useSyncExternalStore(subscribe, () => chosenColor(tool));
};
