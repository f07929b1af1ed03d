import type { Shortcut } from '../../shared/layout/shortcuts.ts';
import type { RubricItem } from '../queue/gradingTypes.ts';
import type { Tool } from '../sheet/tools.ts';

export type DeskCommand =
  | { do: 'save-and-next' | 'next' | 'previous' | 'grade' | 'comment' | 'undo' | 'redo' }
  | { do: 'question'; step: 1 | -1 }
  | { do: 'undo-save' | 'leave-field' | 'drop-tool' }
  | { do: 'zoom'; by: 'in' | 'out' | 'fit' }
  | { do: 'page'; step: 1 | -1 }
  | { do: 'tool'; tool: Tool }
  | { do: 'toggle'; itemId: number }
  /** No item of the rubric applies. */
  | { do: 'none' };

/** The relevant properties of a keyboard event. */
export interface KeyPress {
  key: string;
  /** The physical key: on keyboards of other scripts, `key` is not a Latin letter. */
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

/** The commands that a key repeats while it is held down. */
const repeated = new Set<DeskCommand['do']>(['zoom', 'page', 'undo', 'redo']);

type Items = Pick<RubricItem, 'id' | 'key'>[];

/**
 * Maps a key press to a command; undefined if it has none. While the user types, only keys that enter no text have one.
 */
export function commandOf(
  press: KeyPress,
  isTyping: boolean,
  items: Items,
  hasQuestions = false,
): DeskCommand | undefined {
  if (press.isComposing) return undefined;
  const command = find(press, isTyping, items, hasQuestions);
  return press.repeat && command && !repeated.has(command.do) ? undefined : command;
}

function find(
  press: KeyPress,
  isTyping: boolean,
  items: Items,
  hasQuestions: boolean,
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
  if (hasQuestions && letter.toLowerCase() === 'q') return { do: 'question', step: shiftKey ? -1 : 1 };
  // Desk keys take precedence over item keys: a key that saves must not depend on the rubric.
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

/** Returns the Latin letter or digit at the position of a key whose own letter belongs to another script. */
function latin({ key, code }: KeyPress): string {
  if (/^[\x20-\x7e]$/.test(key)) return key;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter) return letter.toLowerCase();
  const [, digit] = /^(?:Digit|Numpad)(\d)$/.exec(code) ?? [];
  return digit ?? key;
}

export const deskShortcuts: readonly Shortcut[] = [
  ['n', 'Save and next'],
  ['Ctrl+Enter', 'Save and next, even while typing'],
  ['j k', 'Next and previous without saving'],
  ['1 … 9', 'Toggle a rubric item, or use its own key'],
  ['0', 'No deductions, or no points'],
  ['g', 'To the grade'],
  ['c', 'To the comment'],
  ['p h t v x o e', 'Pen, highlight, text, check, cross, point, eraser'],
  ['← ↑ → ↓ Delete', 'Move or remove the selected mark'],
  ['Enter', 'Edit the selected text'],
  ['u', 'Undo the grading that was just saved'],
  ['z', 'Undo the last change to a mark'],
  ['Ctrl+Y', 'Redo'],
  ['Esc', 'Leave a field, then put the tool away'],
  ['+ - f', 'Zoom in, zoom out, fit'],
  ['[ ]', 'Previous and next page'],
];

/** The keys of the desk for one question. */
export const questionShortcuts: readonly Shortcut[] = [
  ['n', 'Save and next student with this question'],
  ['q Q', 'Next and previous question of this student'],
  ...deskShortcuts.slice(1),
];
