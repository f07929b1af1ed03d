import { useState } from 'react';
import { Check, Choice, Field, TimeField } from '../../shared/form/Field.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Item } from '../queue/gradingTypes.ts';

type LateField = 'late_until' | 'late_grace' | 'late_penalty' | 'late_per' | 'late_floor';

interface Props {
  late: Item['late'];
  field(
    name: LateField,
    isOptional?: boolean,
  ): { name: string; defaultValue: string; error: string | undefined; isClearable: boolean };
  error: string | undefined;
}

/** Whether work is accepted after the closing time, and the deduction from its grade. */
export function LateFields({ late, field, error }: Props) {
  const { t } = useTranslation();
  const [isAccepted, setAccepted] = useState(late !== null);
  return (
    <fieldset className="settings-group">
      <Check
        label={t('Late work')}
        name="accepts_late"
        defaultChecked={late !== null}
        onChange={(event) => setAccepted(event.target.checked)}
      />
      <p className="quiet small">
        {t('Accepts work after the closing time, and takes a part of its grade.')}
      </p>
      {isAccepted && (
        <>
          <div className="field-pair">
            <TimeField label={t('Accepted until')} {...field('late_until', false)} />
            <Field
              label={t('Minutes without a penalty')}
              inputMode="numeric"
              placeholder="0"
              {...field('late_grace')}
            />
          </div>
          <div className="field-pair">
            <Field label={t('Penalty in percent')} inputMode="decimal" {...field('late_penalty', false)} />
            <Choice
              label={t('Taken')}
              name="late_per"
              defaultValue={late?.per ?? 'once'}
              options={[
                ['once', t('once')],
                ['hour', t('for each hour begun')],
                ['day', t('for each day begun')],
              ]}
            />
          </div>
          <Field
            label={t('Minimum percent of the grade that remains')}
            inputMode="decimal"
            placeholder="0"
            {...field('late_floor')}
          />
        </>
      )}
      {error !== undefined && (
        <p className="field-error" role="alert" dir="auto">
          {error}
        </p>
      )}
    </fieldset>
  );
}
