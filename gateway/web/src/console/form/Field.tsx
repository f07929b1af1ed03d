import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

interface Props {
  label: string;
  hint?: string | undefined;
  mistake?: string | undefined;
}

interface Described {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

/** A label, a control, a hint and a validation message. */
function Described({ label, hint, mistake, children }: Props & { children(control: Described): ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, mistake && `${id}-mistake`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': mistake !== undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="quiet small">
          {hint}
        </p>
      )}
      {mistake !== undefined && (
        <p id={`${id}-mistake`} className="mistake" role="alert" dir="auto">
          {mistake}
        </p>
      )}
    </div>
  );
}

/** A line of text. The form reads it by its `name`. */
export function Field({ label, hint, mistake, ...input }: Props & InputHTMLAttributes<HTMLInputElement>) {
  const isWritten = input.type === undefined || input.type === 'text';
  return (
    <Described label={label} hint={hint} mistake={mistake}>
      {(control) => (
        <input
          className="input"
          autoComplete="off"
          {...(isWritten ? { dir: 'auto' } : {})}
          {...input}
          {...control}
        />
      )}
    </Described>
  );
}

/** Lines of text. */
export function LongField({
  label,
  hint,
  mistake,
  ...rest
}: Props & { name: string; defaultValue?: string; maxLength: number }) {
  return (
    <Described label={label} hint={hint} mistake={mistake}>
      {(control) => <textarea className="input" rows={4} dir="auto" {...rest} {...control} />}
    </Described>
  );
}

interface ChoiceProps extends Props {
  name?: string;
  value?: string;
  defaultValue?: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange?(value: string): void;
}

/** One of some values. */
export function Choice({ label, hint, mistake, options, onChange, ...rest }: ChoiceProps) {
  return (
    <Described label={label} hint={hint} mistake={mistake}>
      {(control) => (
        <select
          className="input"
          {...rest}
          {...control}
          onChange={onChange && ((event) => onChange(event.target.value))}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Described>
  );
}

/** Yes or no. */
export function Check({ label, ...input }: { label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      <span>{label}</span>
    </label>
  );
}
