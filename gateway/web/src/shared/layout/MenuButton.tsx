import { type ComponentType, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { Button } from 'react-aria-components';

export interface MenuListProps {
  button: RefObject<HTMLButtonElement | null>;
  onClose(): void;
}

interface Props {
  /** The accessible name, if it differs from the text. */
  label?: string;
  className: string;
  /** Loaded when the menu is first opened: no page needs it for its first render. */
  list: ComponentType<MenuListProps>;
  children: ReactNode;
}

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
