import { type Ref, useId } from 'react';

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
      <input
        ref={ref}
        id={id}
        className="input figures"
        type="number"
        inputMode="decimal"
        step="any"
        min={min}
        max={max}
        value={value}
        aria-invalid={mistake !== undefined}
        aria-describedby={mistake === undefined ? undefined : `${id}-mistake`}
        onChange={(event) => onChange(event.target.value)}
        // Scrolling the page must not change a grade.
        onWheel={(event) => event.currentTarget.blur()}
      />
      {mistake !== undefined && (
        <p id={`${id}-mistake`} className="mistake" role="alert">
          {mistake}
        </p>
      )}
    </div>
  );
}
