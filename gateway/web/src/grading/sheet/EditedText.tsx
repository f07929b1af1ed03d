import { inverse, type Matrix, place as placePoint } from '../../shared/sheet/pageCoordinates.ts';
import type { Annotation } from '../queue/gradingTypes.ts';
import type { MarkChange } from './markHistory.ts';
import { cornerOf, type MarkPlace, textMark } from './newMark.ts';
import { TextEntry } from './TextEntry.tsx';

interface Props {
  mark: Annotation;
  place: MarkPlace;
  toShown: Matrix;
  scale: number;
  onChange(change: MarkChange): void;
  onDone(isByKey: boolean): void;
}

/** Edits a text mark in place. An emptied text is removed. */
export function EditedText({ mark, place, toShown, scale, onChange, onDone }: Props) {
  const corner = cornerOf(mark, place);
  return (
    <TextEntry
      at={placePoint(toShown, placePoint(inverse(place.toView), corner))}
      scale={scale}
      text={mark.text ?? ''}
      width={mark.rect[2] ?? 0}
      color={mark.color}
      onDone={(text, size, key) => {
        if (text === '') onChange({ do: 'remove', id: mark.id });
        else if (text !== mark.text) {
          const { rect } = textMark(place, text, corner, size);
          onChange({ do: 'change', mark: { ...mark, text, rect } });
        }
        onDone(key !== undefined);
      }}
    />
  );
}
