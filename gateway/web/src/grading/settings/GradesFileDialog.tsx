import { useQueryClient } from '@tanstack/react-query';
import { FileImportDialog } from '../../shared/form/fileImport/FileImportDialog.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { applyGrades, checkGrades } from '../queue/itemRequests.ts';

interface Props {
  item: ItemId;
  onClose(): void;
}

/** Grades submissions from a file, such as one that the gradebook exported. */
export function GradesFileDialog({ item, onClose }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const apply = async (token: string) => {
    await applyGrades(item, token);
    await queryClient.invalidateQueries();
  };
  return (
    <FileImportDialog
      title={t('Grades from a file')}
      hint={t('Columns: email or student_id, grade and, if you like, comment; or a file of the gradebook.')}
      check={(file) => checkGrades(item, file)}
      apply={apply}
      onClose={onClose}
    />
  );
}
