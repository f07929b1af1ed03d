import { createStore, useStore } from '../../shared/state/createStore.ts';
import { colorsOf, type MarkColor } from './markColors.ts';
import type { Tool } from './tools.ts';

/** A tool that adds marks to a page. */
export type MarkingTool = Exclude<Tool, 'eraser'>;

// Ink and highlighter colours are stored separately.
const keyOf = (tool: MarkingTool) =>
  tool === 'highlight' ? 'gradeway.highlighter-color' : 'gradeway.ink-color';

/** The time of the last choice in this tab. The colours themselves are in the browser's storage, for all tabs. */
const lastChoice = createStore(0);

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
  lastChoice.set(Date.now());
}

export const useChosenColor = (tool: MarkingTool): MarkColor => useStore(lastChoice, () => chosenColor(tool));
