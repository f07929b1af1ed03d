import { type ComponentProps, useId } from 'react';
import { useTranslation } from '../language/useTranslation.ts';
import { ToolIcon } from './toolIcons.tsx';

interface Props extends ComponentProps<'button'> {
  name: string;
  index: number;
  count: number;
  /** How far a key moves the entry: -1, 0 or 1. */
  stepOf(key: string): number;
  onMove(to: number): void;
}

/**
 * The handle of a list entry, which is dragged or moved with the arrow keys. A native button: React Aria's button
 * captures the pointer that dragging needs.
 */
export function MoveHandle({ name, index, count, stepOf, onMove, ...drag }: Props) {
  const { t } = useTranslation();
  const hint = useId();
  return (
    <>
      <button
        {...drag}
        type="button"
        className="button plain icon handle"
        aria-label={name}
        aria-describedby={hint}
        onKeyDown={(event) => {
          const step = stepOf(event.key);
          if (step === 0) return;
          event.preventDefault();
          onMove(index + step);
        }}
      >
        <ToolIcon name="handle" />
      </button>
      <span id={hint} hidden>
        {t('Position {number} of {count}. Use the arrow keys to move it.', { number: index + 1, count })}
      </span>
    </>
  );
}
