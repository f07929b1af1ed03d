import { Button } from 'react-aria-components';
import { useSubmission } from '../form/useSubmission.ts';

/** A button that saves a file, with what went wrong beside it. */
export function DownloadButton({ text, onSave }: { text: string; onSave(): Promise<void> }) {
  const { isBusy, mistake, submit } = useSubmission();
  return (
    <>
      <Button className="button" isPending={isBusy} onPress={() => void submit(onSave)}>
        {text}
      </Button>
      {mistake !== '' && (
        <p role="alert" className="mistake">
          {mistake}
        </p>
      )}
    </>
  );
}
