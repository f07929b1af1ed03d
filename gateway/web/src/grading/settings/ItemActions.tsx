import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Item, ItemId } from '../queue/gradingTypes.ts';
import { deleteItem } from '../queue/itemRequests.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { GradesFileDialog } from './GradesFileDialog.tsx';

/** Copies an item, grades it from a file, or deletes it. */
export function ItemActions({ id, item }: { id: ItemId; item: Item }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'copy' | 'grades' | 'delete'>();
  const close = () => setOpen(undefined);
  const remove = async () => {
    await deleteItem(id);
    await queryClient.invalidateQueries({ queryKey: ['items', id.kind] });
    await navigate({ to: '/grading' });
  };
  return (
    <div className="settings-actions">
      <Button className="button" aria-haspopup="dialog" onPress={() => setOpen('copy')}>
        {t('Copy')}
      </Button>
      <Button className="button" aria-haspopup="dialog" onPress={() => setOpen('grades')}>
        {t('Grades from a file')}
      </Button>
      <Button className="button danger" aria-haspopup="dialog" onPress={() => setOpen('delete')}>
        {t('Delete')}
      </Button>
      {open === 'copy' && <CopyDialog id={id} item={item} onClose={close} />}
      {open === 'grades' && <GradesFileDialog item={id} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={t('Delete {title}?', { title: item.title })}
          action={t('Delete')}
          onConfirm={remove}
          onClose={close}
        >
          <p>
            {id.kind === 'quizzes'
              ? t(
                  '{count, plural, =0 {No one has handed in anything.} one {Graders no longer see # answer sheet.} other {Graders no longer see # answer sheets.}} Grades are kept. This cannot be undone.',
                  { count: item.submissions },
                )
              : t('The text and the PDF are removed. Submissions and their grades are kept.')}
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
