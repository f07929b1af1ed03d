import { useFormRequest } from './useFormRequest.ts';

/**
 * The form of a dialog that closes once `save` has succeeded. Without `save` it cannot be submitted. `fields` are the
 * fields that the form shows.
 */
export function useDialogForm(
  save: ((form: FormData) => Promise<unknown>) | undefined,
  onClose: () => void,
  fields: readonly string[] = [],
) {
  const { isBusy, error, errorOf, submit } = useFormRequest(fields);
  const saveAndClose = async (form: FormData) => {
    if (save && (await submit(() => save(form)))) onClose();
  };
  return {
    /** The properties of the `FormDialog`. */
    dialog: {
      isBusy,
      error,
      isDisabled: save === undefined,
      onSubmit: (form: FormData) => void saveAndClose(form),
      onClose,
    },
    errorOf,
  };
}
