import type { InputHTMLAttributes, KeyboardEvent, Ref } from 'react';
import { readNumber } from './readNumber.ts';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'value' | 'onChange'> {
  ref?: Ref<HTMLInputElement>;
  value: string;
  onChange(value: string): void;
}

/**
 * A number field that keeps the text as typed. The browser's number input discards what it cannot parse, and shows
 * "12,5" as 125 or as empty, depending on the language.
 */
export function NumberInput({ value, onChange, className = '', min, max, ...rest }: Props) {
  const number = readNumber(value);
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (by === 0 || rest.readOnly) return;
    event.preventDefault();
    const [lowest, highest] = [
      Number(min ?? Number.NEGATIVE_INFINITY),
      Number(max ?? Number.POSITIVE_INFINITY),
    ];
    const next = Math.min(Math.max((number ?? 0) + by, lowest), highest);
    // Rounds away the extra digits of binary fractions.
    onChange(String(Number(next.toFixed(4))));
  };
  return (
    <input
      {...rest}
      className={`input figures ${className}`}
      type="text"
      role="spinbutton"
      inputMode="decimal"
      autoComplete="off"
      dir="ltr"
      value={value}
      aria-valuenow={number}
      aria-valuemin={min === undefined ? undefined : Number(min)}
      aria-valuemax={max === undefined ? undefined : Number(max)}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={step}
    />
  );
}
