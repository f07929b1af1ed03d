import { Button } from 'react-aria-components';

interface Props {
  text: string;
  /** The accessible name, which also names the row. */
  label: string;
  isDisabled?: boolean;
  onPress(): void;
}

/** A button at the end of a row. */
export function RowButton({ text, label, isDisabled = false, onPress }: Props) {
  return (
    <Button className="button plain row-button" aria-label={label} isDisabled={isDisabled} onPress={onPress}>
      {text}
    </Button>
  );
}
