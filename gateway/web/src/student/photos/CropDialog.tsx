import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Modal } from '../../shared/ui/Modal.tsx';
import { type Crop, clipOf, moveSide, type Side, uncropped } from './crop.ts';
import type { Photo } from './photoList.ts';
import type { PhotoPreview } from './usePreviews.ts';

interface Props {
  photo: Photo;
  preview: PhotoPreview | undefined;
  onDone(crop: Crop): void;
  onClose(): void;
}

const sides: { side: Side; english: string }[] = [
  { side: 'top', english: 'Upper edge' },
  { side: 'right', english: 'Right edge' },
  { side: 'bottom', english: 'Lower edge' },
  { side: 'left', english: 'Left edge' },
];

/** Crops a photo to the page. Each edge can be moved by touch, mouse or arrow keys. */
export function CropDialog({ photo, preview, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const [crop, setCrop] = useState(photo.crop);
  const frame = useRef<HTMLDivElement>(null);
  if (!preview || preview === 'unreadable') return null;

  function dragTo(side: Side, { clientX, clientY }: { clientX: number; clientY: number }): void {
    const bounds = frame.current?.getBoundingClientRect();
    if (!bounds) return;
    const across = (clientX - bounds.left) / bounds.width;
    const down = (clientY - bounds.top) / bounds.height;
    const to = { left: across, right: 1 - across, top: down, bottom: 1 - down }[side];
    setCrop((before) => moveSide(before, side, to));
  }

  const shares = (crop: Crop) => ({
    top: `${crop.top * 100}%`,
    right: `${crop.right * 100}%`,
    bottom: `${crop.bottom * 100}%`,
    left: `${crop.left * 100}%`,
  });

  return (
    <Modal title={t('Crop')} isOpen onClose={onClose} isWide>
      <div className="crop-place">
        <div className="crop-frame" ref={frame} style={frameSize(preview)}>
          <img className="crop-rest" src={preview.url} alt="" draggable={false} />
          <img
            src={preview.url}
            alt=""
            data-gray={photo.isGray || undefined}
            draggable={false}
            style={{ clipPath: clipOf(crop) }}
          />
          <div className="crop-window" style={shares(crop)}>
            {sides.map(({ side, english }) => (
              <div
                key={side}
                role="slider"
                tabIndex={0}
                className="crop-edge"
                data-side={side}
                aria-label={t(english)}
                aria-valuenow={Math.round(crop[side] * 100)}
                aria-valuemin={0}
                aria-valuemax={90}
                aria-valuetext={`${Math.round(crop[side] * 100)} %`}
                aria-orientation={side === 'top' || side === 'bottom' ? 'vertical' : 'horizontal'}
                onPointerDown={(event: PointerEvent) =>
                  event.currentTarget.setPointerCapture(event.pointerId)
                }
                onPointerMove={(event: PointerEvent) => {
                  if (event.currentTarget.hasPointerCapture(event.pointerId)) dragTo(side, event);
                }}
                onKeyDown={(event) => {
                  const by = keyStep(event, side);
                  if (by === 0) return;
                  event.preventDefault();
                  setCrop((before) => moveSide(before, side, before[side] + by));
                }}
              />
            ))}
          </div>
        </div>
      </div>
      <div className="dialog-buttons crop-buttons">
        <Button className="button plain" onPress={() => setCrop(uncropped)}>
          {t('Whole photo')}
        </Button>
        <div className="dialog-buttons">
          <Button className="button" onPress={onClose}>
            {t('Cancel')}
          </Button>
          <Button className="button primary" onPress={() => onDone(crop)}>
            {t('Crop')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

/** Returns the maximum size that fits into the dialog without scrolling. */
const frameSize = ({ width, height }: { width: number; height: number }) => ({
  aspectRatio: `${width} / ${height}`,
  inlineSize: `min(100%, 30rem, ${((60 * width) / height).toFixed(1)}dvh)`,
});

/** Returns how far a key moves an edge inwards. Edges move in the direction of the arrow. */
function keyStep({ key, shiftKey }: KeyboardEvent, side: Side): number {
  const step = shiftKey ? 0.1 : 0.01;
  const inwards = { top: 'ArrowDown', bottom: 'ArrowUp', left: 'ArrowRight', right: 'ArrowLeft' }[side];
  const outwards = { top: 'ArrowUp', bottom: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight' }[side];
  if (key === inwards) return step;
  return key === outwards ? -step : 0;
}
