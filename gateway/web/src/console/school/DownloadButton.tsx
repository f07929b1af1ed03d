import { useSubmission } from '../../shared/form/useSubmission.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';

/** A button that downloads a file and shows any error beside it. */
export function DownloadButton({ text, onSave }: { text: string; onSave(): Promise<void> }) {
  const { isBusy, mistake, submit } = useSubmission();
  return (
    <>
      <BusyButton className="button" isBusy={isBusy} onPress={() => void submit(onSave)}>
        {text}
      </BusyButton>
      {mistake !== '' && (
        <p role="alert" className="mistake">
          {mistake}
        </p>
      )}
    </>
  );
}
