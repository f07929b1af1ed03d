import {
  type ChangeEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
  useId,
  useRef,
  useState,
} from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../language/useTranslation.ts';
import { momentOf } from '../time/moment.ts';
import { schoolTimeZone } from '../time/schoolTimeZone.ts';

interface Props {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** Shows a button that clears a stored value. */
  isClearable?: boolean | undefined;
  onClear?: (() => void) | undefined;
}

interface Described {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

/** A label, a control, a hint and a validation message. */
function Described(props: Props & { children(control: Described): ReactNode }) {
  const { label, hint, error, isClearable = false, onClear, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const clear = () => {
    const control = field.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('.input');
    if (!control) return;
    control.value = '';
    control.focus();
    onClear?.();
  };
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field" ref={field}>
      <div className="field-head">
        <label id={`${id}-label`} htmlFor={id} className="field-label">
          {label}
        </label>
        {isClearable && (
          <Button className="text-button small" aria-describedby={`${id}-label`} onPress={clear}>
            {t('Clear')}
          </Button>
        )}
      </div>
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="quiet small">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error" role="alert" dir="auto">
          {error}
        </p>
      )}
    </div>
  );
}

/** A single-line text field. The form reads it by its `name`. */
export function Field({
  label,
  hint,
  error,
  isClearable,
  onClear,
  ...input
}: Props & InputHTMLAttributes<HTMLInputElement>) {
  const isWritten = input.type === undefined || input.type === 'text';
  return (
    <Described label={label} hint={hint} error={error} isClearable={isClearable} onClear={onClear}>
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

/**
 * A time in the school's time zone, regardless of the device's. The hint names the zone, and shows the device's time
 * where it differs.
 */
export function TimeField({ hint, onChange, ...input }: Props & InputHTMLAttributes<HTMLInputElement>) {
  const { t, timeText } = useTranslation();
  const [typed, setTyped] = useState(input.defaultValue);
  const { own } = timeText(momentOf(String(input.value ?? typed ?? '')));
  const zone = t('Time zone: {zone}.', { zone: schoolTimeZone });
  const ownTime = own && t('Your time: {time}.', { time: own });
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    setTyped(event.target.value);
    onChange?.(event);
  };
  return (
    <Field
      {...input}
      type="datetime-local"
      hint={[zone, ownTime, hint].filter(Boolean).join(' ')}
      onChange={change}
      onClear={() => setTyped('')}
    />
  );
}

/** A multi-line text field. */
export function LongField({
  label,
  hint,
  error,
  isClearable,
  ...rest
}: Props &
  Pick<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> & {
    name: string;
    defaultValue?: string | undefined;
    maxLength: number;
  }) {
  return (
    <Described label={label} hint={hint} error={error} isClearable={isClearable}>
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

/** A select field. */
export function Choice({ label, hint, error, options, onChange, ...rest }: ChoiceProps) {
  return (
    <Described label={label} hint={hint} error={error}>
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

/** A checkbox. */
export function Check({ label, ...input }: { label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      <span>{label}</span>
    </label>
  );
}
