import type { PointerEvent } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { MoveHandle } from '../../shared/ui/MoveHandle.tsx';
import { Loading } from '../../shared/ui/states.tsx';
import { ToolIcon, type ToolIconName } from '../../shared/ui/toolIcons.tsx';
import { clipOf } from './crop.ts';
import type { Photo } from './photoList.ts';
import type { PhotoPreview } from './usePreviews.ts';

interface Props {
  photo: Photo;
  preview: PhotoPreview | undefined;
  index: number;
  count: number;
  isDragged: boolean;
  onMove(to: number): void;
  /** Reports the key of the photo being dragged, or undefined when dragging ends. */
  onDrag(key: string | undefined): void;
  onTurn(): void;
  onCrop(): void;
  onRemove(): void;
}

/** A photo as a page. Its handle can be dragged by mouse or touch, or moved with the arrow keys. */
export function PhotoCard(props: Props) {
  const { photo, preview, index, count, isDragged, onMove, onDrag, onTurn, onCrop, onRemove } = props;
  const { t } = useTranslation();
  const page = String(index + 1);
  const isReadable = preview !== undefined && preview !== 'unreadable';

  /** The photo moves to the position of the page under the pointer. */
  function onPointerMove({ clientX, clientY, currentTarget, pointerId }: PointerEvent): void {
    if (!isDragged || !currentTarget.hasPointerCapture(pointerId)) return;
    const over = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-place]');
    const list = currentTarget.closest('.photos');
    const to = Number(over?.dataset.place);
    if (over && list?.contains(over) && to !== index) onMove(to);
  }

  return (
    <li className="photo" data-place={index} data-dragged={isDragged || undefined}>
      <div className="photo-picture">
        {preview === 'unreadable' ? (
          <p className="small" dir="auto">
            {t('{name} cannot be read on this device. Remove it, or take it again as a JPEG.', {
              name: photo.file.name,
            })}
          </p>
        ) : preview ? (
          <img
            src={preview.url}
            alt={t('Page {page}', { page })}
            data-gray={photo.isGray || undefined}
            style={{ clipPath: clipOf(photo.crop) }}
          />
        ) : (
          <Loading />
        )}
      </div>
      <div className="photo-buttons">
        <MoveHandle
          name={t('Move page {page}', { page })}
          index={index}
          count={count}
          stepOf={(key) => stepOf(key, document.documentElement.dir === 'rtl')}
          onMove={onMove}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            onDrag(photo.key);
          }}
          onPointerMove={onPointerMove}
          onPointerUp={() => onDrag(undefined)}
          onPointerCancel={() => onDrag(undefined)}
        />
        <PhotoButton
          name={t('Rotate page {page}', { page })}
          icon="rotate"
          onPress={onTurn}
          isDisabled={!isReadable}
        />
        <PhotoButton
          name={t('Crop page {page}', { page })}
          icon="crop"
          onPress={onCrop}
          isDisabled={!isReadable}
        />
        <PhotoButton name={t('Remove page {page}', { page })} icon="trash" onPress={onRemove} />
        <span className="quiet small figures photo-number">{page}</span>
      </div>
    </li>
  );
}

function stepOf(key: string, isRightToLeft: boolean): number {
  if (key === 'ArrowUp') return -1;
  if (key === 'ArrowDown') return 1;
  if (key === 'ArrowLeft') return isRightToLeft ? 1 : -1;
  if (key === 'ArrowRight') return isRightToLeft ? -1 : 1;
  return 0;
}

interface ButtonProps {
  name: string;
  icon: ToolIconName;
  isDisabled?: boolean;
  onPress(): void;
}

function PhotoButton({ name, icon, isDisabled = false, onPress }: ButtonProps) {
  return (
    <Button className="button plain icon" aria-label={name} isDisabled={isDisabled} onPress={onPress}>
      <ToolIcon name={icon} />
    </Button>
  );
}
