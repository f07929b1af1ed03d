import { useRef, useState } from 'react';
import { PasswordNotGiven } from '../access/passwordRequest.ts';
import { ApiError } from '../api/apiError.ts';
import { useWords } from '../language/text.ts';
import { explain } from '../ui/states.tsx';
import { fieldName } from './fieldNames.ts';
import { type Refusal, refusalOf } from './refusal.ts';

interface Submission {
  isBusy: boolean;
  /** The server's error message about a field. */
  mistakeOf(field: string): string | undefined;
  /** The server's message about the form as a whole. */
  mistake: string;
  /** Runs one request at a time. Resolves to whether it succeeded. */
  submit(work: () => Promise<unknown>): Promise<boolean>;
}

const nothing: Refusal = { fields: {}, general: '' };

/** Submits a form and stores the validation errors of the response. `known` are the fields that the form shows. */
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
      setRefusal(
        isRefusal
          ? refusalOf(error, known, (field) => t(fieldName(field)))
          : { fields: {}, general: explain(error, t).title },
      );
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }

  return { isBusy, mistakeOf: (field) => refusal.fields[field], mistake: refusal.general, submit };
}
