import { useLayoutEffect, useRef } from 'react';
import { hasOverlay, isTyping } from '../../shared/layout/keyboardFocus.ts';
import type { RubricItem } from '../queue/gradingTypes.ts';
import { commandOf, type DeskCommand } from './deskKeys.ts';

/**
 * Runs the commands of keys, unless a dialog or menu is open over the desk. A layout effect makes the next desk receive
 * the keys as soon as it is shown: with an effect after the frame, a key could still grade the previous student.
 */
export function useDeskKeys(
  items: RubricItem[],
  hasQuestions: boolean,
  run: (command: DeskCommand) => void,
): void {
  const latest = useRef({ items, hasQuestions, run });
  latest.current = { items, hasQuestions, run };
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || hasOverlay()) return;
      const { items, hasQuestions, run } = latest.current;
      const command = commandOf(event, isTyping(event.target), items, hasQuestions);
      if (!command) return;
      event.preventDefault();
      run(command);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
