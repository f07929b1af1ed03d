import { useLayoutEffect, useRef } from 'react';
import { hasOverlay, isTyping } from '../../shared/layout/typing.ts';
import type { RubricItem } from '../queue/gradingTypes.ts';
import { commandOf, type DeskCommand } from './deskKeys.ts';

/**
 * Runs what keys stand for, unless something is open above the desk. The next desk takes the keys in the moment in which it is
 * shown: an effect that follows the frame would leave them to the last one until then, and a grade to the wrong person.
 */
export function useDeskKeys(items: RubricItem[], run: (command: DeskCommand) => void): void {
  const latest = useRef({ items, run });
  latest.current = { items, run };
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || hasOverlay()) return;
      const command = commandOf(event, isTyping(event.target), latest.current.items);
      if (!command) return;
      event.preventDefault();
      latest.current.run(command);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
