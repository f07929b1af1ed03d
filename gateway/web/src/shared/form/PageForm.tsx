import type { ComponentProps } from 'react';
import { BusyButton } from '../ui/BusyButton.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import './form.css';

interface Props extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** The label of the submit button. */
  action: string;
  isPrimary?: boolean;
  isBusy: boolean;
  /** An error message about the form as a whole. */
  error: string;
  /** Announced beside the button. */
  statusText: string;
  onSubmit(form: FormData): void;
}

/** A form in a page, with its error message above the button. */
export function PageForm(props: Props) {
  const { action, isPrimary = false, isBusy, error, statusText, onSubmit, children, ...form } = props;
  return (
    <form
      {...form}
      className="page-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
      <ErrorNotice text={error} />
      <div className="form-buttons">
        <BusyButton type="submit" className={isPrimary ? 'button primary' : 'button'} isBusy={isBusy}>
          {action}
        </BusyButton>
        <span role="status" className="quiet small">
          {statusText}
        </span>
      </div>
    </form>
  );
}
