import { Button, type ButtonProps } from 'react-aria-components';

interface Props extends ButtonProps {
  /** Whether the button's request is in progress. */
  isBusy: boolean;
}

/**
 * A button that does nothing while its request is in progress, and keeps the focus. React Aria's pending state would
 * announce it through a reference that stays in the page for seconds after the button is gone, as after a login: an
 * image without a name.
 */
export function BusyButton({ isBusy, type = 'button', onPress, ...rest }: Props) {
  return (
    <Button
      {...rest}
      type={isBusy ? 'button' : type}
      data-busy={isBusy || undefined}
      onPress={(event) => !isBusy && onPress?.(event)}
    />
  );
}
