import { useLayoutEffect, useRef } from 'react';
import { useWords } from '../../shared/language/text.ts';
import type { Point } from '../../shared/sheet/pageCoordinates.ts';

const width = 180;
const mostCharacters = 500;

interface Props {
  /** In points of the page as it is shown. */
  at: Point;
  scale: number;
  /** The text, empty if none is wanted, and the room that it takes in points. */
  onDone(text: string, size: { width: number; height: number }): void;
}

/** Where a text is typed onto the page. Leaving it puts the text there; Escape does not. */
export function TextEntry({ at, scale, onDone }: Props) {
  const { t } = useWords();
  const field = useRef<HTMLTextAreaElement>(null);
  const isDone = useRef(false);

  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.setProperty('--scale', String(scale));
    element.focus({ preventScroll: true });
  }, [scale]);

  const finish = (text: string) => {
    if (isDone.current) return;
    isDone.current = true;
    const height = (field.current?.scrollHeight ?? 16 * scale) / scale;
    onDone(text.trim().slice(0, mostCharacters), { width, height });
  };

  return (
    <textarea
      ref={field}
      className="text-entry"
      aria-label={t('Text on the page')}
      maxLength={mostCharacters}
      dir="auto"
      rows={1}
      style={{ insetBlockStart: at[1] * scale, left: at[0] * scale, inlineSize: width * scale }}
      onInput={({ currentTarget }) => {
        currentTarget.style.blockSize = 'auto';
        currentTarget.style.blockSize = `${currentTarget.scrollHeight}px`;
      }}
      onBlur={({ currentTarget }) => finish(currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') finish('');
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) finish(event.currentTarget.value);
      }}
    />
  );
}
