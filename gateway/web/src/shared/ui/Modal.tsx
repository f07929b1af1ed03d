import type { ReactNode } from 'react';
import { Modal as AriaModal, Dialog, Heading, ModalOverlay } from 'react-aria-components';

interface Props {
  title: string;
  isOpen: boolean;
  /** If absent, only the dialog's own buttons close it. */
  onClose?(): void;
  isWide?: boolean;
  children: ReactNode;
}

export function Modal({ title, isOpen, onClose, isWide = false, children }: Props) {
  return (
    <ModalOverlay
      className="scrim"
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose?.()}
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
    >
      <AriaModal className={isWide ? 'dialog wide' : 'dialog'}>
        <Dialog>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  );
}
