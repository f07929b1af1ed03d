import { useQueryClient } from '@tanstack/react-query';
import { FileImportDialog } from '../../shared/form/fileImport/FileImportDialog.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { applyRoster, checkRoster } from '../records/teachingRequests.ts';

interface Props {
  courseId: number;
  onClose(): void;
}

/** Enrolls the students that a file lists. */
export function RosterDialog({ courseId, onClose }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const apply = async (token: string) => {
    await applyRoster(courseId, token);
    await queryClient.invalidateQueries();
  };
  return (
    <FileImportDialog
      title={t('Enroll students from a file')}
      hint={t('Columns: name and email, or first_name, last_name and email. Nobody is removed.')}
      check={(file) => checkRoster(courseId, file)}
      apply={apply}
      onClose={onClose}
    />
  );
}
