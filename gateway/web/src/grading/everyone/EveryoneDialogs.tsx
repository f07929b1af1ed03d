import type { EveryoneRow, ItemId } from '../queue/gradingTypes.ts';
import { useItemRefresh } from '../queue/itemQueries.ts';
import { AllowanceDialog } from './AllowanceDialog.tsx';
import { HandInDialog } from './HandInDialog.tsx';

export type OpenDialog = { do: 'allow'; students: EveryoneRow[] } | { do: 'hand in'; row: EveryoneRow };

interface Props {
  item: ItemId;
  open: OpenDialog | undefined;
  onDone(): void;
  onClose(): void;
}

export function EveryoneDialogs({ item, open, onDone, onClose }: Props) {
  const refresh = useItemRefresh(item);
  const after = async (request: Promise<void>) => {
    await request;
    await refresh();
    onDone();
  };
  if (open?.do === 'allow')
    return <AllowanceDialog item={item} students={open.students} after={after} onClose={onClose} />;
  if (open?.do === 'hand in')
    return <HandInDialog item={item} row={open.row} after={after} onClose={onClose} />;
  return null;
}
