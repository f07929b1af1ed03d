import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Point } from '../../shared/sheet/pageCoordinates.ts';

/** Width of a new text, in points. */
const usualWidth = 180;
const maxCharacters = 500;

interface Props {
  /** In points of the displayed page. */
  at: Point;
  scale: number;
  /** The previous text; empty for a new one. */
  text?: string;
  /** The previous width of the text, in points. */
  width?: number;
  /** Null for the default colour. */
  color: string | null;
  /**
   * Receives the text (empty for none) and its size in points. `key` is set if a key ended the entry, so that the focus
   * must be moved.
   */
  onDone(text: string, size: { width: number; height: number }, key?: 'Enter' | 'Escape'): void;
}

/**
 * A field for typing text onto the page. Leaving the field keeps the text. Escape also keeps a new text, but restores
 * an existing one.
 */
export function TextEntry({ at, scale, text: before = '', width: widthBefore = 0, color, onDone }: Props) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const isDone = useRef(false);
  // A text created by another program may be too narrow to type in.
  const width = Math.max(widthBefore, usualWidth);

  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.setProperty('--scale', String(scale));
    element.focus({ preventScroll: true });
    fitHeight(element);
  }, [scale]);

  const finish = (text: string, key?: 'Enter' | 'Escape') => {
    if (isDone.current) return;
    isDone.current = true;
    const height = (field.current?.scrollHeight ?? 16 * scale) / scale;
    onDone(text.trim().slice(0, maxCharacters), { width, height }, key);
  };

  return (
    <textarea
      ref={field}
      className="text-entry"
      aria-label={t('Text on the page')}
      maxLength={maxCharacters}
      dir="auto"
      rows={1}
      defaultValue={before}
      style={{
        insetBlockStart: at[1] * scale,
        left: at[0] * scale,
        inlineSize: width * scale,
        color: color ?? undefined,
      }}
      onInput={({ currentTarget }) => fitHeight(currentTarget)}
      onBlur={({ currentTarget }) => finish(currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        const { value } = event.currentTarget;
        if (event.key === 'Escape') finish(before === '' ? value : before, 'Escape');
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) finish(value, 'Enter');
      }}
    />
  );
}

function fitHeight(field: HTMLTextAreaElement): void {
  field.style.blockSize = 'auto';
  field.style.blockSize = `${field.scrollHeight}px`;
}
