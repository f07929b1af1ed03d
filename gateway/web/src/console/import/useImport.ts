import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { useLeaveWarning } from '../../shared/layout/useLeaveWarning.ts';
import { commitPlan, previewArchive } from './importRequests.ts';
import type { ImportPlan } from './importTypes.ts';
import { packArchive } from './packArchive.ts';

/** The steps of an import. */
export type ImportStep =
  | { at: 'choice'; failure?: unknown }
  | { at: 'sending'; id: string; sent: number; total: number }
  | { at: 'preview'; plan: ImportPlan; failure?: unknown }
  | { at: 'importing'; plan: ImportPlan }
  /** The school changed after the preview, so nothing was imported. */
  | { at: 'stale'; failure: ApiError }
  | { at: 'end'; plan: ImportPlan };

interface Chosen {
  files: File[];
  isPaid: boolean;
}

/** The state of an import, from choosing a file to the result. */
export function useImport() {
  const queryClient = useQueryClient();
  const [step, setStep] = useState<ImportStep>({ at: 'choice' });
  const [chosen, setChosen] = useState<Chosen>();

  async function preview(choice: Chosen): Promise<void> {
    const id = crypto.randomUUID();
    const onProgress = (sent: number, total: number) => setStep({ at: 'sending', id, sent, total });
    setChosen(choice);
    onProgress(0, 0);
    try {
      const archive = await packArchive(choice.files);
      setStep({ at: 'preview', plan: await previewArchive(archive, { ...choice, id, onProgress }) });
    } catch (failure) {
      setStep({ at: 'choice', failure });
    }
  }

  async function commit(plan: ImportPlan): Promise<void> {
    if (plan.token === null) return;
    setStep({ at: 'importing', plan });
    try {
      setStep({ at: 'end', plan: await commitPlan(plan.token) });
      // An import can change any data.
      await queryClient.invalidateQueries();
    } catch (failure) {
      const isStale = failure instanceof ApiError && failure.status === 409;
      setStep(isStale ? { at: 'stale', failure } : { at: 'preview', plan, failure });
    }
  }

  useLeaveWarning(step.at === 'sending' || step.at === 'importing');

  return {
    step,
    preview,
    commit,
    previewAgain: () => (chosen ? preview(chosen) : Promise.resolve()),
    restart: () => setStep({ at: 'choice' }),
  };
}
