import { fieldName } from '../../shared/form/fieldNames.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Modal } from '../../shared/ui/Modal.tsx';
import './audit.css';
import { DialogClose } from '../../shared/ui/DialogClose.tsx';
import type { AuditEntry } from './auditRequests.ts';
import { actionNames, objectNames } from './auditTexts.ts';
import { changeLines } from './changeLines.ts';

/** Shows all fields of an audit entry. */
export function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose(): void }) {
  const translation = useTranslation();
  const { t, formatTime } = translation;
  const { id, at, actor, address, action, object, session_id, request_id } = entry;
  const facts: [string, string | null][] = [
    [t('Time'), formatTime(at)],
    [t('Who'), actor && `${actor.name} (${actor.id}, ${actor.role})`],
    [t('Object'), object && `${t(objectNames[object.type] ?? object.type)} ${object.id}`],
    [t('Address'), address],
    [t('Session'), session_id === null ? null : String(session_id)],
    [t('Request'), request_id],
    [t('Entry'), String(id)],
  ];
  const lines = changeLines(entry.changes as Record<string, unknown[]> | null, translation);
  return (
    <Modal title={t(actionNames[action] ?? action)} isOpen onClose={onClose} isWide={lines.length > 0}>
      <dl className="facts">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name} className="fact">
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section className="entry-changes" aria-label={t('Changes')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Field')}</th>
                <th scope="col">{t('Before')}</th>
                <th scope="col">{t('After')}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row">{t(fieldName(field))}</th>
                  <td className="written">{before}</td>
                  <td className="written">{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <DialogClose text={t('Close')} onClose={onClose} />
    </Modal>
  );
}
