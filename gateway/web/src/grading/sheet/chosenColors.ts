import { useSyncExternalStore } from 'react';
import { colorsOf, type MarkColor } from './markColors.ts';
import type { Tool } from './tools.ts';

/** A tool that adds marks to a page. */
export type MarkingTool = Exclude<Tool, 'eraser'>;

// Ink and highlighter colours are stored separately.
const keyOf = (tool: MarkingTool) =>
  tool === 'highlight' ? 'gradeway.highlighter-color' : 'gradeway.ink-color';

const listeners = new Set<() => void>();

/** Returns the colour of new marks: the one chosen on this device, or the default. */
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
  // Must return the same object while the choice is unchanged.
  return useSyncExternalStore(subscribe, () => chosenColor(tool));
};
