import { useEffect, useState } from 'react';
import { useTranslation } from '../language/useTranslation.ts';
import { Icon } from '../ui/icons.tsx';
import './searchField.css';

interface Props {
  text: string;
  placeholder: string;
  onFind(text: string): void;
}

/** Searches while the user types, after a pause: one request per keystroke would return more than anyone reads. */
export function SearchField({ text, placeholder, onFind }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => onFind(typed.trim()), 250);
    return () => clearTimeout(timer);
  }, [typed, text, onFind]);
  return (
    <label className="search-field">
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
    </label>
  );
}
