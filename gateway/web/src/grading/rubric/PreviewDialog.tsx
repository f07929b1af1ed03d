import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import type { OutlineEffect } from '../queue/questionTypes.ts';

interface Props {
  /** A question's rubric changes points, and never makes a submission ungraded. */
  preview: (Omit<OutlineEffect, 'ungraded'> & { ungraded?: number }) | undefined;
  /** The label of the button when no grade changes. */
  saveText: string;
  onApply(): Promise<void>;
  onClose(): void;
}

/** Lists the grades that a change to the rubric or the questions would change, with their new values. */
export function PreviewDialog({ preview, saveText, onApply, onClose }: Props) {
  const { t, formatNumber } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  if (!preview) return null;
  const { regraded, ungraded = 0, changes } = preview;
  const affected = regraded + ungraded;

  const apply = async () => {
    setBusy(true);
    await onApply();
    setBusy(false);
  };

  return (
    <Modal title={t('These grades change')} isOpen {...(isBusy ? {} : { onClose })}>
      {affected === 0 && <p>{t('No grade changes.')}</p>}
      {ungraded > 0 && (
        <p>
          {t(
            '{count, plural, one {# submission is no longer graded} other {# submissions are no longer graded}} until the missing answers are.',
            { count: ungraded },
          )}
        </p>
      )}
      {regraded > 0 && (
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
                  <td className="figures">{from === null ? '–' : formatNumber(from)}</td>
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
          {affected === 0 ? saveText : t('Apply to {n} grades', { n: String(affected) })}
        </BusyButton>
      </div>
    </Modal>
  );
}
