import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import type { Regrading } from '../queue/gradingTypes.ts';

interface Props {
  preview: Regrading | undefined;
  onApply(): Promise<void>;
  onClose(): void;
}

/** Lists the grades that a change to the rubric would change, with their new values. */
export function PreviewDialog({ preview, onApply, onClose }: Props) {
  const { t, formatNumber } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  if (!preview) return null;
  const { regraded, changes } = preview;

  const apply = async () => {
    setBusy(true);
    await onApply();
    setBusy(false);
  };

  return (
    <Modal title={t('These grades change')} isOpen {...(isBusy ? {} : { onClose })}>
      {regraded === 0 ? (
        <p>{t('No grade changes.')}</p>
      ) : (
        <div className="changes">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Student')}</th>
                <th scope="col">{t('From')}</th>
                <th scope="col">{t('To')}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ submission_id, student_name, from, to }) => (
                <tr key={submission_id}>
                  <th scope="row" className="written">
                    {student_name}
                  </th>
                  <td className="figures">{formatNumber(from)}</td>
                  <td className="figures">{formatNumber(to)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {regraded > changes.length && (
            <p className="quiet small">
              {t('and {count} more', { count: String(regraded - changes.length) })}
            </p>
          )}
        </div>
      )}
      <div className="dialog-buttons">
        <Button className="button" onPress={onClose} isDisabled={isBusy}>
          {t('Cancel')}
        </Button>
        <BusyButton className="button primary" onPress={() => void apply()} isBusy={isBusy}>
          {regraded === 0 ? t('Save the rubric') : t('Apply to {n} grades', { n: String(regraded) })}
        </BusyButton>
      </div>
    </Modal>
  );
}
