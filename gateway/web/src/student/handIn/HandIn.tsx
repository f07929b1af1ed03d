import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Kind } from '../../shared/api/workTypes.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { usePerson } from '../../shared/session/currentSession.ts';
import { Loading } from '../../shared/ui/states.tsx';
import { AnswerSheetInput } from './AnswerSheetInput.tsx';
import { chosenFiles } from './chosenFiles.ts';
import { uploads, useUpload } from './currentUploads.ts';
import './handIn.css';
import { loadUploadOutcome } from './loadUploadOutcome.ts';
import { keepPhotos, usePhotoDraft } from './photoDrafts.ts';
import { isUnderWay, uploadId } from './uploadTypes.ts';

const UploadOutcome = lazy(async () => ({ default: (await loadUploadOutcome()).UploadOutcome }));
const HandInQuestion = lazy(async () => ({
  default: (await import('./HandInQuestion.tsx')).HandInQuestion,
}));
const PhotoEditor = lazy(async () => ({ default: (await import('../photos/PhotoEditor.tsx')).PhotoEditor }));

interface Props {
  kind: Kind;
  itemId: number;
  title: string;
  isOpen: boolean;
  /** Whether the work opens later, which determines how to explain a rejected upload. */
  isUpcoming: boolean;
  /** Whether it replaces an earlier submission. */
  isReplacing: boolean;
  path: string;
  /** Returns the form's other fields at the moment of handing in. */
  fieldsNow(): Record<string, string>;
  /** Whether the receipt of an earlier upload is shown expanded. */
  showsReceipt: boolean;
}

/** Accepts the files for a quiz or homework, uploads them and shows the receipt. */
export function HandIn(props: Props) {
  const { kind, itemId, title, isOpen, isUpcoming, isReplacing, path, fieldsNow, showsReceipt } = props;
  const { t } = useTranslation();
  const { id: personId } = usePerson();
  const id = uploadId(personId, kind, itemId);
  const state = useUpload(id);
  const photos = usePhotoDraft(id);
  const [error, setError] = useState('');
  const [chosenPdfs, setChosenPdfs] = useState<File[]>();
  const maxPdfs = kind === 'quizzes' ? 1 : 10;

  async function handIn(files: { name: string; blob: Blob }[]): Promise<void> {
    await uploads.begin({
      id,
      personId,
      kind,
      itemId,
      idempotencyKey: crypto.randomUUID(),
      path,
      fields: fieldsNow(),
      fileField: kind === 'quizzes' ? 'file' : 'files',
      files,
      createdAt: Date.now(),
    });
    if (uploads.stateOf(id)?.status === 'done') keepPhotos(id, undefined);
  }

  function choose(files: File[]): void {
    const chosen = chosenFiles(files, maxPdfs);
    setError(chosen.are === 'wrong' ? chosen.because : '');
    keepPhotos(id, chosen.are === 'photos' ? { files: chosen.files } : undefined);
    setChosenPdfs(chosen.are === 'pdfs' ? chosen.files : undefined);
  }

  const isSending = isUnderWay(state);
  return (
    <div className="hand-in">
      {state && (
        <Suspense fallback={null}>
          <UploadOutcome
            id={id}
            title={title}
            state={state}
            isUpcoming={isUpcoming}
            showsReceipt={showsReceipt}
          />
        </Suspense>
      )}
      {error !== '' && !isSending && (
        <p className="notice bad" role="alert">
          {t(error)}
        </p>
      )}
      {photos && (
        <div hidden={isSending}>
          <Suspense fallback={<Loading />}>
            <PhotoEditor
              files={photos.files}
              edited={photos.edited}
              title={title}
              onEdit={(edited) => keepPhotos(id, { files: photos.files, edited })}
              onHandIn={(pdf) => void handIn([pdf])}
              onDiscard={() => keepPhotos(id, undefined)}
            />
          </Suspense>
        </div>
      )}
      {chosenPdfs && (
        <Suspense fallback={null}>
          <HandInQuestion
            title={title}
            files={chosenPdfs}
            isReplacing={isReplacing}
            onHandIn={() => {
              setChosenPdfs(undefined);
              void handIn(chosenPdfs.map((file) => ({ name: file.name, blob: file })));
            }}
            onClose={() => setChosenPdfs(undefined)}
          />
        </Suspense>
      )}
      {isOpen && !photos && !isSending && (
        <Again isReplacing={isReplacing}>
          <AnswerSheetInput maxPdfs={maxPdfs} isReplacing={isReplacing} onChoose={choose} />
        </Again>
      )}
    </div>
  );
}

/** Submitted work needs no action, so the input for replacing it is collapsed. */
function Again({ isReplacing, children }: { isReplacing: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  if (!isReplacing) return children;
  return (
    <details className="folded">
      <summary>{t('Hand in again')}</summary>
      {children}
    </details>
  );
}
