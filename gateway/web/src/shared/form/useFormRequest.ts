import { useRef, useState } from 'react';
import { ApiError } from '../api/apiError.ts';
import { useTranslation } from '../language/useTranslation.ts';
import { ReauthenticationDeclined } from '../session/reauthentication.ts';
import { explain } from '../ui/states.tsx';
import { fieldName } from './fieldNames.ts';
import { type FormErrors, formErrorsOf } from './formErrors.ts';

interface Submission {
  isBusy: boolean;
  /** The server's error message about a field. */
  errorOf(field: string): string | undefined;
  /** The server's message about the form as a whole. */
  error: string;
  /** Runs one request at a time. Resolves to whether it succeeded. */
  submit(work: () => Promise<unknown>): Promise<boolean>;
}

const nothing: FormErrors = { fields: {}, general: '' };

/** Submits a form and stores the validation errors of the response. `known` are the fields that the form shows. */
export function useFormRequest(known: readonly string[] = []): Submission {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const [errors, setErrors] = useState(nothing);

  async function submit(work: () => Promise<unknown>): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setErrors(nothing);
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof ReauthenticationDeclined) return false;
      const isRefusal = error instanceof ApiError && (error.status === 422 || error.status === 409);
      setErrors(
        isRefusal
          ? formErrorsOf(error, known, (field) => t(fieldName(field)))
          : { fields: {}, general: explain(error, t).title },
      );
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }

  return { isBusy, errorOf: (field) => errors.fields[field], error: errors.general, submit };
}
