import type { ToolIconName } from '../../shared/ui/toolIcons.tsx';

export type Tool = 'pen' | 'highlight' | 'text' | 'check' | 'cross' | 'point' | 'eraser';

/** The tools in toolbar order, with their English names and keys. */
export const toolbarTools: { tool: Tool; english: string; key: string; icon: ToolIconName }[] = [
  { tool: 'pen', english: 'Pen', key: 'p', icon: 'pen' },
  { tool: 'highlight', english: 'Highlight', key: 'h', icon: 'highlight' },
  { tool: 'text', english: 'Text', key: 't', icon: 'text' },
  { tool: 'check', english: 'Check', key: 'v', icon: 'check' },
  { tool: 'cross', english: 'Cross', key: 'x', icon: 'cross' },
  { tool: 'point', english: 'Point', key: 'o', icon: 'point' },
  { tool: 'eraser', english: 'Eraser', key: 'e', icon: 'eraser' },
];

/** Returns the English name of a kind of mark, which is the name of its tool. */
export const englishOf = (kind: string): string =>
  toolbarTools.find(({ tool }) => tool === kind)?.english ?? kind;
