import { Button } from 'react-aria-components';

interface Props {
  text: string;
  isPrimary?: boolean;
  onClose(): void;
}

/** The only button of a dialog that just displays information. */
export function DialogClose({ text, isPrimary = false, onClose }: Props) {
  return (
    <div className="dialog-buttons">
      <Button className={isPrimary ? 'button primary' : 'button'} onPress={onClose}>
        {text}
      </Button>
    </div>
  );
}
