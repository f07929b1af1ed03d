import { type ComponentType, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { Button } from 'react-aria-components';

export interface MenuListProps {
  button: RefObject<HTMLButtonElement | null>;
  onClose(): void;
}

interface Props {
  /** Instead of the text in it. */
  label?: string;
  className: string;
  /** Loaded when the menu is opened for the first time: no page needs it to be shown. */
  list: ComponentType<MenuListProps>;
  children: ReactNode;
}

/** A button that opens a menu. */
export function MenuButton({ label, className, list: List, children }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        ref={button}
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPress={() => setOpen((before) => !before)}
      >
        {children}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <List button={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
