import type { ReactNode } from 'react';
import { Modal as AriaModal, Dialog, Heading, ModalOverlay } from 'react-aria-components';

interface Props {
  title: string;
  isOpen: boolean;
  /** Without it the dialog stays until one of its buttons closes it. */
  onClose?(): void;
  isWide?: boolean;
  children: ReactNode;
}

/** A dialog over the page. */
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
