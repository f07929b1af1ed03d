import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../language/useTranslation.ts';
import { Picker, type PickerOption } from './Picker.tsx';

interface Props {
  label: string;
  placeholder: string;
  /** Initial text. */
  text?: string;
  /** The query key of the searches; the search text is appended. */
  queryKey: QueryKey;
  search(text: string, signal: AbortSignal): Promise<PickerOption[]>;
  /** The shortest text that the server searches. */
  minLength?: number;
  /** Called with undefined when the text is edited after a choice. */
  onChoose(option: PickerOption | undefined): void;
}

/** Finds an option by part of its text. The server searches. */
export function SearchPicker(props: Props) {
  const { label, placeholder, text = '', queryKey, search, minLength = 0, onChoose } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(typed.trim()), 200);
    return () => clearTimeout(timer);
  }, [typed]);
  const isLongEnough = typed.trim().length >= minLength;
  const found = useQuery({
    queryKey: [...queryKey, wanted],
    queryFn: ({ signal }) => search(wanted, signal),
    enabled: wanted.length >= minLength,
  });
  // Results for an earlier text are not offered: a user in a hurry would choose the wrong one.
  const isOfText = typed.trim() === wanted;
  const status = () => {
    if (!isLongEnough)
      return t('{count, plural, one {Type at least # letter.} other {Type at least # letters.}}', {
        count: minLength,
      });
    if (found.error) return t('There is no connection');
    return found.isPending || !isOfText ? t('Loading…') : t('No one found');
  };
  return (
    <Picker
      label={label}
      placeholder={placeholder}
      text={text}
      find={() => (isOfText && isLongEnough ? (found.data ?? []) : [])}
      status={status()}
      onType={(next) => {
        setTyped(next);
        onChoose(undefined);
      }}
      onChoose={onChoose}
    />
  );
}
