import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Role } from '../searchParams.ts';
import { Picker, type PickerOption } from './Picker.tsx';
import { peopleQuery } from './personQueries.ts';

interface Props {
  label: string;
  /** Restricts the search to users with this role. */
  only?: Role;
  /** Initial text. */
  text?: string;
  /** Called with undefined when the text is edited after a choice. */
  onChoose(person: PickerOption | undefined): void;
}

/** Finds a user by part of the name or email address. The server searches. */
export function PersonPicker({ label, only, text = '', onChoose }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(typed.trim()), 200);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useQuery(peopleQuery(wanted, only));
  // Results for an earlier text are not offered: a user in a hurry would choose the wrong person.
  const isOfText = typed.trim() === wanted;
  const people = (isOfText ? (found.data ?? []) : []).map(({ id, name, email, mobile }) => ({
    id,
    name,
    about: email ?? mobile ?? '',
  }));
  return (
    <Picker
      label={label}
      placeholder={t('Name or email')}
      text={text}
      find={() => people}
      status={
        found.error
          ? t('There is no connection')
          : found.isPending || !isOfText
            ? t('Loading…')
            : t('No one found')
      }
      onType={(next) => {
        setTyped(next);
        onChoose(undefined);
      }}
      onChoose={onChoose}
    />
  );
}
