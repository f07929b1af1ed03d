import { useFormRequest } from '../form/useFormRequest.ts';
import { BusyButton } from '../ui/BusyButton.tsx';

/** A button that downloads a file and shows any error beside it. */
export function DownloadButton({ text, onSave }: { text: string; onSave(): Promise<void> }) {
  const { isBusy, error, submit } = useFormRequest();
  return (
    <>
      <BusyButton className="button" isBusy={isBusy} onPress={() => void submit(onSave)}>
        {text}
      </BusyButton>
      {error !== '' && (
        <p role="alert" className="field-error">
          {error}
        </p>
      )}
    </>
  );
}
