import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { useWords } from '../../shared/language/text.ts';
import { Modal } from '../../shared/ui/Modal.tsx';
import './form.css';

interface Props {
  title: string;
  /** The text of the button that sends the form. */
  action: string;
  isBusy: boolean;
  /** A message about the form as a whole. */
  mistake: string;
  isDangerous?: boolean;
  isDisabled?: boolean;
  onSubmit(form: FormData): void;
  onClose(): void;
  children?: ReactNode;
}

/** A form in a dialog, with its error message above the buttons. */
export function FormDialog(props: Props) {
  const { title, action, isBusy, mistake, isDangerous = false, isDisabled = false, children } = props;
  const { t } = useWords();
  return (
    <Modal title={title} isOpen onClose={props.onClose}>
      <form
        className="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit(new FormData(event.currentTarget));
        }}
      >
        {children}
        {mistake !== '' && (
          <p role="alert" className="notice bad" dir="auto">
            {mistake}
          </p>
        )}
        <div className="dialog-buttons">
          <Button className="button" onPress={props.onClose}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            className={isDangerous ? 'button danger' : 'button primary'}
            isPending={isBusy}
            isDisabled={isDisabled}
          >
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
