import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Modal } from '../../shared/ui/Modal.tsx';
import type { OutlineBody } from '../queue/questionTypes.ts';

interface Props {
  mine: OutlineBody;
  theirs: OutlineBody;
  onKeepMine(): void;
  onUseTheirs(): void;
}

/** Shows two teachers' questions side by side, and lets this teacher choose. */
export function OutlineConflict({ mine, theirs, onKeepMine, onUseTheirs }: Props) {
  const { t } = useTranslation();
  return (
    <Modal title={t('Changed meanwhile')} isOpen isWide>
      <p>
        {t('Another teacher has changed the questions since you opened them. Which do you want to keep?')}
      </p>
      <div className="outline-versions">
        <Version title={t('Yours')} outline={mine} />
        <Version title={t('Current questions')} outline={theirs} />
      </div>
      <div className="dialog-buttons">
        <Button className="button" onPress={onUseTheirs}>
          {t('Use theirs')}
        </Button>
        <Button className="button primary" onPress={onKeepMine}>
          {t('Keep mine')}
        </Button>
      </div>
    </Modal>
  );
}

function Version({ title, outline: { questions } }: { title: string; outline: OutlineBody }) {
  const { t, formatNumber } = useTranslation();
  return (
    <section className="card outline-version">
      <h3>{title}</h3>
      {questions.length === 0 ? (
        <p className="quiet">{t('No questions')}</p>
      ) : (
        <ol>
          {questions.map(({ label, title: name, max_points }) => (
            <li key={label}>
              <span className="written">
                <strong dir="auto">{label}</strong> {name !== null && <span dir="auto">{name}</span>}
              </span>
              <span className="quiet figures">
                {t('{count, plural, one {{points} point} other {{points} points}}', {
                  count: max_points,
                  points: formatNumber(max_points),
                })}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
