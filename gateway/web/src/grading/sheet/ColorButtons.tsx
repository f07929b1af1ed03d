import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { Annotation } from '../queue/gradingTypes.ts';
import { colorsOf, type MarkColor } from './markColors.ts';

interface Props {
  kind: Annotation['kind'];
  color: string | null;
  onChoose(color: MarkColor): void;
}

/** Shows the available colours for a kind of mark. */
export function ColorButtons({ kind, color: present, onChoose }: Props) {
  const { t } = useTranslation();
  return colorsOf({ kind }).map((each) => (
    <Button
      key={each.english}
      className="button plain icon"
      aria-label={t(each.english)}
      aria-pressed={present === each.color}
      onPress={() => onChoose(each)}
    >
      <span className="swatch" style={{ background: each.shown }} />
    </Button>
  ));
}
