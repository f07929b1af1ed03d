import { useEffect, useId, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ToolIcon } from '../../shared/ui/toolIcons.tsx';
import { useLostFocus } from '../handIn/useLostFocus.ts';
import { CropDialog } from './CropDialog.tsx';
import { PhotoCard } from './PhotoCard.tsx';
import { inOrderOfNames, movedPhoto, newPhoto, type Photo, turnedPhoto } from './photoList.ts';
import { PhotoProcessor, UnreadablePhoto } from './photoProcessor.ts';
import './photos.css';
import { useLeaveWarning } from '../../shared/layout/useLeaveWarning.ts';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { pagesOf, usePreviews } from './usePreviews.ts';

interface Props {
  /** The files as chosen. */
  files: File[];
  /** The photos as they were when the editor was last shown. */
  edited: Photo[] | undefined;
  title: string;
  onEdit(photos: Photo[]): void;
  onHandIn(pdf: { name: string; blob: Blob }): void;
  onDiscard(): void;
}

const maxPages = 100;

/** Arranges, rotates and crops photos of pages, and combines them into one PDF. */
export function PhotoEditor({ files, edited, title, onEdit, onHandIn, onDiscard }: Props) {
  const { t } = useTranslation();
  const processor = useDarkroom();
  const [photos, setPhotos] = useState(
    () => edited ?? inOrderOfNames(files).map((file) => newPhoto(file, false)),
  );
  const [cropped, setCropped] = useState<string>();
  const [dragged, setDragged] = useState<string>();
  const [done, setDone] = useState<number>();
  const [error, setError] = useState('');
  const [statusText, setStatusText] = useState('');
  const previews = usePreviews(processor, photos);
  const isGray = photos.length > 0 && photos.every((photo) => photo.isGray);
  const input = useId();
  const region = useRef<HTMLElement>(null);
  useLostFocus(region);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the photos change
  useEffect(() => onEdit(photos), [photos]);
  // The photos exist only in this tab.
  useLeaveWarning(true);

  const change = (key: string, by: (photo: Photo) => Photo) =>
    setPhotos((before) => before.map((photo) => (photo.key === key ? by(photo) : photo)));

  function move(key: string, to: number): void {
    setPhotos((before) =>
      movedPhoto(
        before,
        before.findIndex((photo) => photo.key === key),
        to,
      ),
    );
    if (to >= 0 && to < photos.length)
      setStatusText(t('Page {place} of {count}', { place: String(to + 1), count: String(photos.length) }));
  }

  async function handIn(): Promise<void> {
    if (!processor || done !== undefined) return;
    setError('');
    setDone(0);
    try {
      const pages = photos.map(({ file, turn, crop, isGray: gray }) => ({
        file,
        settings: { turn, crop, isGray: gray },
      }));
      const blob = await processor.makePdf(pages, title, setDone);
      onHandIn({ name: fileName(title), blob });
    } catch (error) {
      setError(
        error instanceof UnreadablePhoto
          ? t('{name} cannot be read on this device. Remove it, or take it again as a JPEG.', {
              name: error.file.name,
            })
          : t('The photos could not be combined into a PDF. Try again with fewer photos, or choose a PDF.'),
      );
    } finally {
      setDone(undefined);
    }
  }

  const inCrop = photos.find(({ key }) => key === cropped);
  return (
    <section ref={region} className="photo-editor" aria-label={t('Photos')} tabIndex={-1}>
      <div className="photo-tools">
        <label className="check-line">
          <input
            type="checkbox"
            checked={isGray}
            onChange={({ target }) =>
              setPhotos((before) => before.map((photo) => ({ ...photo, isGray: target.checked })))
            }
          />
          {t('Grayscale')}
        </label>
        <span className="button add-photos">
          <ToolIcon name="plus" />
          <label htmlFor={input}>{t('Add photos')}</label>
          <input
            id={input}
            type="file"
            accept="image/*,.heic,.heif"
            multiple
            onChange={({ target }) => {
              const added = inOrderOfNames([...(target.files ?? [])]).map((file) => newPhoto(file, isGray));
              target.value = '';
              setPhotos((before) => [...before, ...added].slice(0, maxPages));
            }}
          />
        </span>
      </div>
      <ol className="photos" aria-label={t('Pages')}>
        {photos.map((photo, index) => (
          <PhotoCard
            key={photo.key}
            photo={photo}
            preview={previews.get(photo.key)}
            index={index}
            count={photos.length}
            isDragged={dragged === photo.key}
            onMove={(to) => move(photo.key, to)}
            onDrag={setDragged}
            onTurn={() => change(photo.key, turnedPhoto)}
            onCrop={() => setCropped(photo.key)}
            onRemove={() => setPhotos((before) => before.filter(({ key }) => key !== photo.key))}
          />
        ))}
      </ol>
      <ErrorNotice text={error} />
      <div className="photo-tools">
        <Button className="button primary" onPress={() => void handIn()} isDisabled={photos.length === 0}>
          {t('Hand in')}
        </Button>
        <Button className="button plain" onPress={onDiscard} isDisabled={done !== undefined}>
          {t('Discard the photos')}
        </Button>
        <p role="status" className="quiet small">
          {done === undefined
            ? statusText ||
              t('{count, plural, =0 {No pages} one {# page} other {# pages}} in one PDF', {
                count: photos.reduce((sum, photo) => sum + pagesOf(photo, previews.get(photo.key)), 0),
              })
            : t('Creating the PDF…')}
        </p>
      </div>
      {inCrop && (
        <CropDialog
          photo={inCrop}
          preview={previews.get(inCrop.key)}
          onDone={(crop) => {
            change(inCrop.key, (photo) => ({ ...photo, crop }));
            setCropped(undefined);
          }}
          onClose={() => setCropped(undefined)}
        />
      )}
    </section>
  );
}

/** Returns the file name of the PDF. Services replace characters that file names cannot contain. */
const fileName = (title: string): string => `${title.trim().slice(0, 80) || 'photos'}.pdf`;

function useDarkroom(): PhotoProcessor | undefined {
  const [processor, setDarkroom] = useState<PhotoProcessor>();
  const opened = useRef<PhotoProcessor>(undefined);
  useEffect(() => {
    opened.current = new PhotoProcessor();
    setDarkroom(opened.current);
    return () => opened.current?.close();
  }, []);
  return processor;
}
