import { Button } from 'react-aria-components';
import type { SortOrder } from './sortRows.ts';

interface Props {
  name: string;
  order: SortOrder | 'none';
  onPress(): void;
}

const signs = { ascending: '↑', descending: '↓', none: '↕' } as const;

/** A column heading that sorts the table. Where rows are cards there are no headings, so that only the name stays. */
export function SortButton({ name, order, onPress }: Props) {
  return (
    <>
      <Button className="sort-button" onPress={onPress}>
        {name}
        <span aria-hidden="true" className={order === 'none' ? 'quiet' : undefined}>
          {signs[order]}
        </span>
      </Button>
      <span className="sort-name">{name}</span>
    </>
  );
}
