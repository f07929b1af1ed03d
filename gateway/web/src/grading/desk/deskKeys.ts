import type { Shortcut } from '../../shared/layout/shortcuts.ts';
import type { RubricItem } from '../queue/gradingTypes.ts';
import type { Tool } from '../sheet/tools.ts';

export type DeskCommand =
  | { do: 'save-and-next' | 'next' | 'previous' | 'grade' | 'comment' | 'undo' | 'redo' }
  | { do: 'undo-save' | 'leave-field' | 'drop-tool' }
  | { do: 'zoom'; by: 'in' | 'out' | 'fit' }
  | { do: 'page'; step: 1 | -1 }
  | { do: 'tool'; tool: Tool }
  | { do: 'toggle'; itemId: number }
  /** No item of the rubric applies. */
  | { do: 'none' };

/** A press of a key, as far as it matters. */
export interface KeyPress {
  key: string;
  /** The place of the key: keyboards of other scripts have other letters on it. */
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  repeat: boolean;
  isComposing: boolean;
}

const tools: Record<string, Tool> = {
  p: 'pen',
  h: 'highlight',
  t: 'text',
  v: 'check',
  x: 'cross',
  o: 'point',
  e: 'eraser',
};

const commands: Record<string, DeskCommand> = {
  n: { do: 'save-and-next' },
  j: { do: 'next' },
  k: { do: 'previous' },
  g: { do: 'grade' },
  c: { do: 'comment' },
  z: { do: 'undo' },
  u: { do: 'undo-save' },
  Escape: { do: 'drop-tool' },
  '+': { do: 'zoom', by: 'in' },
  '=': { do: 'zoom', by: 'in' },
  '-': { do: 'zoom', by: 'out' },
  f: { do: 'zoom', by: 'fit' },
  '0': { do: 'zoom', by: 'fit' },
  '[': { do: 'page', step: -1 },
  ']': { do: 'page', step: 1 },
};

/** What holds for a key that is kept down: only what may be repeated. */
const repeated = new Set<DeskCommand['do']>(['zoom', 'page', 'undo', 'redo']);

/** What a key does on the desk; undefined for nothing. While one types, only what cannot be text acts. */
export function commandOf(
  press: KeyPress,
  isTyping: boolean,
  items: Pick<RubricItem, 'id' | 'key'>[],
): DeskCommand | undefined {
  if (press.isComposing) return undefined;
  const command = find(press, isTyping, items);
  return press.repeat && command && !repeated.has(command.do) ? undefined : command;
}

function find(
  press: KeyPress,
  isTyping: boolean,
  items: Pick<RubricItem, 'id' | 'key'>[],
): DeskCommand | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press;
  const isControl = ctrlKey || metaKey;
  if (isControl && key === 'Enter') return { do: 'save-and-next' };
  if (isTyping) return key === 'Escape' ? { do: 'leave-field' } : undefined;
  if (isControl) return historyCommand(press);
  if (altKey) return undefined;
  const letter = latin(press);
  const own = items.find((item) => item.key !== null && (item.key === key || item.key === letter));
  if (/^[1-9]$/.test(letter)) {
    const item = own ?? items[Number(letter) - 1];
    return item && { do: 'toggle', itemId: item.id };
  }
  if (letter === '0' && items.length > 0) return { do: 'none' };
  // The keys of the desk come before those of items: a key that saves must not depend on the rubric.
  const tool = shiftKey ? undefined : tools[letter];
  if (tool) return { do: 'tool', tool };
  const command = shiftKey && /^[a-z]$/i.test(letter) ? undefined : commands[letter];
  return command ?? (own && { do: 'toggle', itemId: own.id });
}

function historyCommand(press: KeyPress): DeskCommand | undefined {
  const letter = latin(press).toLowerCase();
  if (letter === 'z') return { do: press.shiftKey ? 'redo' : 'undo' };
  return letter === 'y' ? { do: 'redo' } : undefined;
}

/** The Latin letter or digit on the place of a key whose own letter is of another script. */
function latin({ key, code }: KeyPress): string {
  if (/^[\x20-\x7e]$/.test(key)) return key;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter) return letter.toLowerCase();
  const [, digit] = /^(?:Digit|Numpad)(\d)$/.exec(code) ?? [];
  return digit ?? key;
}

export const deskShortcuts: readonly Shortcut[] = [
  ['n', 'Save and next'],
  ['Ctrl+Enter', 'Save and next, also while typing'],
  ['j k', 'Next and previous without saving'],
  ['1 … 9', 'Toggle a rubric item, also by its own key'],
  ['0', 'No deductions, or no points'],
  ['g', 'To the grade'],
  ['c', 'To the comment'],
  ['p h t v x o e', 'Pen, highlight, text, check, cross, point, eraser'],
  ['← ↑ → ↓ Delete', 'Move or remove the selected mark'],
  ['Enter', 'Edit the selected text'],
  ['u', 'Undo the grading that was just saved'],
  ['z', 'Undo the last change of a mark'],
  ['Ctrl+Y', 'Redo'],
  ['Esc', 'Leave a field, then put the tool away'],
  ['+ - f', 'Zoom in, zoom out, fit'],
  ['[ ]', 'Previous and next page'],
];
