import { Field, TimeField } from '../../shared/form/Field.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';

interface Props {
  field(
    name: 'reviews_until' | 'reviews_count',
    isOptional?: boolean,
  ): { name: string; defaultValue: string; error: string | undefined; isClearable: boolean };
  error: string | undefined;
}

/** How long, and how often, students can ask for a review of their grades. */
export function ReviewFields({ field, error }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset className="settings-group">
      <legend className="field-label">{t('Reviews')}</legend>
      <p className="quiet small">
        {t('Students who see their grade can ask for a review until this time. Without one, they cannot.')}
      </p>
      <div className="field-pair">
        <TimeField label={t('Reviews until')} {...field('reviews_until')} />
        <Field
          label={t('Reviews for each student')}
          inputMode="numeric"
          placeholder="1"
          {...field('reviews_count', false)}
        />
      </div>
      {error !== undefined && (
        <p className="field-error" role="alert" dir="auto">
          {error}
        </p>
      )}
    </fieldset>
  );
}
