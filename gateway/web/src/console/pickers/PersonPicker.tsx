import type { PickerOption } from '../../shared/form/picker/Picker.tsx';
import { SearchPicker } from '../../shared/form/picker/SearchPicker.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Role } from '../searchParams.ts';
import { findPeople } from './personQueries.ts';

interface Props {
  label: string;
  /** Restricts the search to users with this role. */
  only?: Role;
  /** Initial text. */
  text?: string;
  /** Called with undefined when the text is edited after a choice. */
  onChoose(person: PickerOption | undefined): void;
}

/** Finds a user by part of the name or email address. */
export function PersonPicker({ label, only, text = '', onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <SearchPicker
      label={label}
      placeholder={t('Name or email')}
      text={text}
      queryKey={['console', 'people', only ?? null]}
      search={(wanted, signal) => findPeople(wanted, only, signal)}
      onChoose={onChoose}
    />
  );
}
