// Included in this chunk, because importing a separate one would take 0.3 kB of the page's budget.
export { PlacesStep } from '../places/PlacesStep.tsx';

import { uploads } from './currentUploads.ts';
import { Receipt } from './Receipt.tsx';
import { UploadProgress } from './UploadProgress.tsx';
import { UploadRefusal } from './UploadRefusal.tsx';
import type { UploadState } from './uploadTypes.ts';

interface Props {
  id: string;
  title: string;
  state: UploadState;
  isUpcoming: boolean;
  showsReceipt: boolean;
}

/** Shows the current state of an upload: progress, receipt or error. */
export function UploadOutcome({ id, title, state, isUpcoming, showsReceipt }: Props) {
  if (state.status === 'refused') return <UploadRefusal message={state.message} isUpcoming={isUpcoming} />;
  if (state.status === 'done')
    return <Receipt id={id} title={title} receipt={state.receipt} isShown={showsReceipt} />;
  return <UploadProgress state={state} onCancel={() => void uploads.cancel(id)} />;
}
