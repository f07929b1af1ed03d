import { Button } from 'react-aria-components';
import './sortButton.css';
import type { SortOrder } from './sortRows.ts';

interface Props {
  name: string;
  order: SortOrder | 'none';
  onPress(): void;
}

const signs = { ascending: '↑', descending: '↓', none: '↕' } as const;

/**
 * A column heading that sorts the table. Card layouts have no headings, and paper has no buttons, so only the name
 * remains.
 */
export function SortButton({ name, order, onPress }: Props) {
  return (
    <>
      <Button className="sort-button" onPress={onPress}>
        <span className="written">{name}</span>
        <span aria-hidden="true" className={order === 'none' ? 'quiet' : undefined}>
          {signs[order]}
        </span>
      </Button>
      <span className="sort-name written">{name}</span>
    </>
  );
}
