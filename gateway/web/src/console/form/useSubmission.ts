import { useRef, useState } from 'react';
import { PasswordNotGiven } from '../../shared/access/passwordRequest.ts';
import { ApiError } from '../../shared/api/apiError.ts';
import { useWords } from '../../shared/language/text.ts';
import { explain } from '../../shared/ui/states.tsx';
import { type Refusal, refusalOf } from './refusal.ts';

interface Submission {
  isBusy: boolean;
  /** What the server says of a field. */
  mistakeOf(field: string): string | undefined;
  /** What it says besides. */
  mistake: string;
  /** Runs one request at a time. Whether it was successful. */
  submit(work: () => Promise<unknown>): Promise<boolean>;
}

const nothing: Refusal = { fields: {}, general: '' };

/** Sends a form, and keeps the validation errors of its answer. `known` are the fields that the form shows. */
export function useSubmission(known: readonly string[] = []): Submission {
  const { t } = useWords();
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const [refusal, setRefusal] = useState(nothing);

  async function submit(work: () => Promise<unknown>): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setRefusal(nothing);
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof PasswordNotGiven) return false;
      const isRefusal = error instanceof ApiError && (error.status === 422 || error.status === 409);
      setRefusal(isRefusal ? refusalOf(error, known) : { fields: {}, general: explain(error, t).title });
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }

  return { isBusy, mistakeOf: (field) => refusal.fields[field], mistake: refusal.general, submit };
}
