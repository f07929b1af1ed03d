import { type Ref, useId } from 'react';
import { NumberInput } from '../../shared/ui/NumberInput.tsx';

interface Props {
  ref: Ref<HTMLInputElement>;
  name: string;
  value: string;
  min?: number | undefined;
  max?: number | undefined;
  error: string | undefined;
  onChange(value: string): void;
}

export function NumberField({ ref, name, value, min, max, error, onChange }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      <NumberInput
        ref={ref}
        id={id}
        min={min}
        max={max}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={onChange}
      />
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
