import { type Ref, useId } from 'react';
import { NumberInput } from '../../shared/ui/NumberInput.tsx';

interface Props {
  ref: Ref<HTMLInputElement>;
  name: string;
  value: string;
  min?: number | undefined;
  max?: number | undefined;
  mistake: string | undefined;
  onChange(value: string): void;
}

export function NumberField({ ref, name, value, min, max, mistake, onChange }: Props) {
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
        aria-invalid={mistake !== undefined}
        aria-describedby={mistake === undefined ? undefined : `${id}-mistake`}
        onChange={onChange}
      />
      {mistake !== undefined && (
        <p id={`${id}-mistake`} className="mistake" role="alert">
          {mistake}
        </p>
      )}
    </div>
  );
}
