import { useEffect, useState } from 'react';
import { Label } from 'react-aria-components';
import { useTranslation } from '../language/useTranslation.ts';
import { Icon } from '../ui/icons.tsx';
import './searchField.css';

interface Props {
  text: string;
  placeholder: string;
  onFind(text: string): void;
}

/**
 * Searches while the user types, after a pause: one request per keystroke would return more than anyone can read.
 * `Tabs` renders its children twice, once hidden, where a `Label` renders nothing: a hidden second field, which stays
 * empty, would end each search.
 */
export function SearchField(props: Props) {
  return (
    <Label className="search-field">
      <SearchInput {...props} />
    </Label>
  );
}

function SearchInput({ text, placeholder, onFind }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => onFind(typed.trim()), 250);
    return () => clearTimeout(timer);
  }, [typed, text, onFind]);
  return (
    <>
      <Icon name="search" />
      <span className="unseen">{t('Search')}</span>
      <input
        type="search"
        className="input"
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        maxLength={200}
        dir="auto"
      />
    </>
  );
}
