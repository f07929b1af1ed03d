import { useState } from 'react';
import { Choice, TimeField } from '../../shared/form/Field.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Item } from '../queue/gradingTypes.ts';

interface Props {
  release: Item['release'];
  field(name: 'release' | 'release_at'): {
    name: string;
    defaultValue: string;
    error: string | undefined;
    isClearable: boolean;
  };
}

/** When students see their grades. */
export function ReleaseFields({ release, field }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string>(release);
  const { error } = field('release');
  return (
    <div className="settings-group">
      <Choice
        label={t('Students see their grades')}
        name="release"
        defaultValue={release}
        error={error}
        onChange={setChosen}
        options={[
          ['immediate', t('as soon as they are saved')],
          ['manual', t('once a teacher releases them')],
        ]}
      />
      {chosen === 'manual' && (
        <TimeField
          label={t('Release at')}
          hint={t('Without a time, a teacher releases the grades.')}
          {...field('release_at')}
        />
      )}
    </div>
  );
}
