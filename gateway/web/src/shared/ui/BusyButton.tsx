import { Button, type ButtonProps } from 'react-aria-components';

interface Props extends ButtonProps {
  /** Whether what it does is under way. */
  isBusy: boolean;
}

/**
 * A button that does nothing while its request is on its way, and keeps the focus. React Aria's pending state would announce it
 * by a reference that stays in the page for seconds after a button that is gone, such as that of the login: a picture without
 * a name.
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
