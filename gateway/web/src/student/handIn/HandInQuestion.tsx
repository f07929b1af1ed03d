import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PlainPage } from '../../shared/sheet/PlainPage.tsx';
import { SheetDocument } from '../../shared/sheet/sheetDocument.ts';
import { Modal } from '../../shared/ui/Modal.tsx';
import { Loading } from '../../shared/ui/states.tsx';
import { PortfolioCheck } from './PortfolioNotice.tsx';

interface Props {
  title: string;
  files: File[];
  isReplacing: boolean;
  onHandIn(): void;
  onClose(): void;
}

/**
 * Asks for confirmation before files are handed in. Previews the first page, so that a wrong file is noticed in time.
 */
export function HandInQuestion({ title, files, isReplacing, onHandIn, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal title={t('Hand in {title}?', { title })} isOpen onClose={onClose}>
      <ul className="chosen-files">
        {files.map(({ name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: files may share a name, and items are stateless
          <li key={`${index} ${name}`} className="written" dir="auto">
            {name}
          </li>
        ))}
      </ul>
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <PortfolioCheck key={index} file={file} />
      ))}
      {files[0] && <FirstPage file={files[0]} />}
      {isReplacing && <p>{t('A new file replaces the previous one.')}</p>}
      <div className="dialog-buttons">
        <Button className="button" onPress={onClose}>
          {t('Cancel')}
        </Button>
        <Button className="button primary" autoFocus onPress={onHandIn}>
          {t('Hand in')}
        </Button>
      </div>
    </Modal>
  );
}

function FirstPage({ file }: { file: File }) {
  const { t } = useTranslation();
  const [sheet, setSheet] = useState<SheetDocument | 'failed'>();
  useEffect(() => {
    let isCurrent = true;
    let opened: SheetDocument | undefined;
    const open = async () => {
      const document = await SheetDocument.read(new Uint8Array(await file.arrayBuffer()));
      if (!isCurrent) return document.close();
      opened = document;
      setSheet(document);
    };
    open().catch(() => isCurrent && setSheet('failed'));
    return () => {
      isCurrent = false;
      opened?.close();
    };
  }, [file]);

  if (!sheet) return <Loading />;
  if (sheet === 'failed')
    return <p className="notice">{t('The first page cannot be shown. The file may be damaged.')}</p>;
  return (
    <>
      <p className="quiet small">
        {t('{count, plural, one {# page} other {# pages}}. This is the first one:', {
          count: sheet.pageCount,
        })}
      </p>
      <div className="first-page">
        <PlainPage sheet={sheet} page={1} number={1} scale={1} />
      </div>
    </>
  );
}
