import { type ReactNode, useRef } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../language/useTranslation.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Modal } from '../ui/Modal.tsx';
import './form.css';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';

interface Props {
  title: string;
  /** The label of the submit button. */
  action: string;
  isBusy: boolean;
  /** An error message about the form as a whole. */
  error: string;
  isDangerous?: boolean;
  isDisabled?: boolean;
  /** The form shows stored values: submitting it unchanged closes the dialog without sending a request. */
  isEdit?: boolean;
  onSubmit(form: FormData): void;
  onClose(): void;
  children?: ReactNode;
}

/** A form in a dialog, with its error message above the buttons. */
export function FormDialog(props: Props) {
  const { title, action, isBusy, error, isDangerous = false, isDisabled = false, isEdit = false } = props;
  const { t } = useTranslation();
  const opened = useRef<string>(undefined);
  // The dialog mounts its form after this component.
  const remember = (form: HTMLFormElement | null) => {
    if (form) opened.current ??= contentOf(new FormData(form));
  };
  const submit = (data: FormData) => {
    if (isEdit && contentOf(data) === opened.current) props.onClose();
    else props.onSubmit(data);
  };
  return (
    <Modal title={title} isOpen onClose={props.onClose}>
      <form
        ref={remember}
        className="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        {props.children}
        <ErrorNotice text={error} />
        <div className="dialog-buttons">
          <Button className="button" onPress={props.onClose}>
            {t('Cancel')}
          </Button>
          <BusyButton
            type="submit"
            className={isDangerous ? 'button danger' : 'button primary'}
            isBusy={isBusy}
            isDisabled={isDisabled}
          >
            {action}
          </BusyButton>
        </div>
      </form>
    </Modal>
  );
}

const contentOf = (form: FormData): string =>
  JSON.stringify([...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]));
